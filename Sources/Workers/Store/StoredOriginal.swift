package import Models

/// An original on this disk.
package struct StoredOriginal: Sendable, Equatable {
  /// The absolute path of its file.
  package var path: String
  /// SHA-256 of the file, in lower-case hexadecimal digits.
  package var sha256: String
  package var info: PictureInfo
  /// Whether the feed has named another address since.
  package var isStale: Bool

  package init(path: String, sha256: String, info: PictureInfo, isStale: Bool) {
    self.path = path
    self.sha256 = sha256
    self.info = info
    self.isStale = isStale
  }
}
