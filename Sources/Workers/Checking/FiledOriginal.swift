/// The row of an original's file.
package struct FiledOriginal: Sendable, Equatable {
  package var id: Int64
  /// The absolute path of its file.
  package var path: String
  /// SHA-256 of the content that was stored, in lower-case hexadecimal digits.
  package var sha256: String
  /// The length that was stored, in bytes.
  package var bytes: Int
  /// The images whose original it is.
  package var imageIDs: [Int64]
  /// Whether one of them is remembered as having it damaged, or not having it.
  package var isMarked: Bool

  package init(
    id: Int64,
    path: String,
    sha256: String,
    bytes: Int,
    imageIDs: [Int64],
    isMarked: Bool = false
  ) {
    self.id = id
    self.path = path
    self.sha256 = sha256
    self.bytes = bytes
    self.imageIDs = imageIDs
    self.isMarked = isMarked
  }
}
