import Workers

extension StatementValues {
  /// Adds what a feed says of an image in words and addresses, with what its title is sorted by: the columns
  /// `original_address`, `thumbnail_address`, `page_address`, `title`, `title_key`, `author`, `licence` and
  /// `caption`.
  mutating func add(textsOf fields: ImageFields) {
    add(fields.originalAddress)
    add(fields.thumbnailAddress)
    add(fields.pageAddress)
    add(fields.title)
    add(TitleKey.of(fields.title))
    add(fields.author)
    add(fields.licence)
    add(fields.caption)
  }
}

extension ImageFields {
  /// The column `shape`; nil when the feed does not say how large the image is.
  var shape: Int? {
    guard let width, let height else { return nil }
    return width == height ? 0 : width > height ? 1 : -1
  }
}
