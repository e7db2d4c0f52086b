package import FoundationEssentials
package import Models
package import Workers

/// Reading what the library stores in a column, or in some columns from one on.
extension Row {
  package func date(_ column: Int) throws -> Date? {
    try (value(column) as Int64?).map(Date.init(storedSeconds:))
  }

  /// Nil for an invalid address, which this program never writes.
  package func address(_ column: Int) throws -> WebAddress? {
    try (value(column) as String?).flatMap(WebAddress.init)
  }

  /// Nil for NULL, and for bytes that are not a hash.
  package func hash(_ column: Int) -> SHA256Digest? { SHA256Digest(self, Int32(column)) }

  /// The ids in an array that the statement has cast to text.
  package func ids(_ column: Int) throws -> [Int64] {
    try (value(column) as String).split { !$0.isNumber }.compactMap { Int64($0) }
  }

  /// The picture in four columns: format, length, width and height; nil when the format is unknown.
  package func picture(_ column: Int, hash: SHA256Digest? = nil) throws -> PictureInfo? {
    guard let format: ImageFormat = try value(raw: column) else { return nil }
    return try PictureInfo(
      format: format,
      bytes: value(column + 1) ?? 0,
      width: value(column + 2),
      height: value(column + 3),
      hash: hash
    )
  }

  /// The fields of an image, in ten columns.
  package func fields(_ column: Int) throws -> ImageFields {
    try ImageFields(
      title: value(column),
      caption: value(column + 1),
      author: value(column + 2),
      licence: value(column + 3),
      published: value(column + 4),
      pageAddress: value(column + 5),
      thumbnailAddress: value(column + 6),
      originalAddress: value(column + 7),
      width: value(column + 8),
      height: value(column + 9)
    )
  }
}
