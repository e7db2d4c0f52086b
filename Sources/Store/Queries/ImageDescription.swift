import LibraryFiles
import Models
import Workers

/// The description of an image by its feed, as the columns of its row.
///
/// All statements that write these columns take them, and their values, from here.
struct ImageDescription {
  var id: Int64
  var feedID: Int64
  /// Nil when the feed gives no id, or uses it twice.
  var entry: EntryID?
  /// The time at which the image was first seen, in seconds since 1970.
  var firstSeen: Int64
  var image: DocumentImage

  /// The columns that identify the image in its feed; a document does not change them with the others.
  static let keys = ["feed_id", "first_seen_at", "entry_id", "entry_hash"]

  func addKeys(to values: inout Values) {
    values.add(feedID)
    values.add(firstSeen)
    values.add(entry?.text)
    values.add(entry?.hash)
  }

  /// The other columns.
  static func columns(_ dialect: Dialect) -> [String] {
    [
      "date", "published_at", "width", "height", "shape", "declared_bytes", "original_hash",
      "thumbnail_hash", "original_address", "thumbnail_address", "page_address", "title",
      "title_key", "author", "licence", "caption", derivedColumn(dialect),
    ]
  }

  /// The column that is made from the others: SQLite's rows are sealed, and PostgreSQL's have the words of a search.
  private static func derivedColumn(_ dialect: Dialect) -> String {
    switch dialect {
    case .sqlite: "row_checksum"
    case .postgres: "folded_words"
    }
  }

  func addColumns(to values: inout Values, _ dialect: Dialect) {
    let fields = image.fields
    // Only an image without an entry's id is looked up by its thumbnail.
    let thumbnailHash = entry == nil ? image.thumbnailHash : nil
    values.add(fields.date(firstSeen: firstSeen))
    values.add(fields.published)
    values.add(fields.width)
    values.add(fields.height)
    values.add(fields.shape)
    values.add(fields.bytes)
    values.add(image.originalHash)
    values.add(thumbnailHash)
    for text in [
      fields.originalAddress, fields.thumbnailAddress, fields.pageAddress, fields.title,
      TitleKey.of(fields.title), fields.author, fields.licence, fields.caption,
    ] { values.add(text) }
    switch dialect {
    case .sqlite: values.add(checksum(thumbnailHash))
    case .postgres: values.add(fields.words)
    }
  }

  private func checksum(_ thumbnailHash: Int64?) -> Int64 {
    RowChecksum.ofImage(
      id: id,
      feedID: feedID,
      entry: entry,
      image,
      thumbnailHash: thumbnailHash
    )
  }

  /// The assignments of an UPDATE, whose parameters begin at a number.
  static func assignments(
    of columns: [String],
    from first: Int,
    _ dialect: Dialect
  ) -> String {
    columns.enumerated().map { index, column in
      let value = "$\(first + index)"
      switch column {
      case "shape": return "shape = \(shape(declaredAs: value))"
      case "folded_words": return "folded_words = CAST(\(value) AS tsvector)"
      default: return "\(column) = \(value)"
      }
    }
    .joined(separator: ", ")
  }

  /// The SQL of an image's shape: that of its stored thumbnail, which is upright, or else as the feed declares it.
  ///
  /// A square thumbnail may be a part of the picture, so it counts only where the feed declares no size.
  ///
  /// - Parameter declared: The SQL of the declared shape.
  /// - Returns: The SQL, which is null where nothing is known.
  private static func shape(declaredAs declared: String) -> String {
    """
    CASE WHEN thumbnail_width > thumbnail_height THEN 1 WHEN thumbnail_width < thumbnail_height THEN -1
      ELSE coalesce(\(declared), CASE WHEN thumbnail_width = thumbnail_height THEN 0 END) END
    """
  }

  /// The SQL of a stored image's shape.
  static let storedShape = shape(
    declaredAs: """
      CASE WHEN width > height THEN 1 WHEN width < height THEN -1 WHEN width = height THEN 0 END
      """
  )
}
