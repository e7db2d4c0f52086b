/// An original that was asked for and is stored now.
package struct FetchedOriginal: Sendable, Equatable {
  package var original: StoredOriginal
  /// Whether it was transferred now; not when someone else had just stored it.
  package var wasDownloaded: Bool
  /// Bytes that came over the wire.
  package var wireBytes: Int

  package init(original: StoredOriginal, wasDownloaded: Bool, wireBytes: Int) {
    self.original = original
    self.wasDownloaded = wasDownloaded
    self.wireBytes = wireBytes
  }
}
