/// Where the bytes of a picture are.
package enum PictureSource: Sendable, Equatable {
  case bytes([UInt8])
  /// A file by its path; it may still grow.
  case file(path: String)
}
