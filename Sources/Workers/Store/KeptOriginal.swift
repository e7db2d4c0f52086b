/// What an earlier try left of an original, so that the rest can be asked for.
package struct KeptOriginal: Sendable, Equatable {
  package var version: OriginalVersion
  /// How many of its first bytes are known to be on the disk.
  package var length: Int

  package init(version: OriginalVersion, length: Int) {
    self.version = version
    self.length = length
  }
}
