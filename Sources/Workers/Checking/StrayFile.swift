/// A file in the library's folder that no row refers to.
package struct StrayFile: Sendable, Equatable {
  /// Its absolute path.
  package var path: String
  /// Its length.
  package var bytes: Int

  package init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }
}
