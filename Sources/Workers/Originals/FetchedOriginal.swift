/// An original that was asked for and is stored now.
package struct FetchedOriginal: Sendable, Equatable {
  package var original: StoredOriginal
  /// Whether it was transferred now; not when someone else had just stored it, or the server said
  /// that the stored one is still right.
  package var wasDownloaded: Bool
  /// How many bytes of it were here already from an earlier try.
  package var resumedFrom: Int
  /// Whether the server was asked now, and still has what was stored before.
  package var isUnchanged: Bool
  /// Bytes that came over the wire.
  package var wireBytes: Int

  package init(
    original: StoredOriginal,
    wasDownloaded: Bool,
    resumedFrom: Int = 0,
    isUnchanged: Bool = false,
    wireBytes: Int
  ) {
    self.original = original
    self.wasDownloaded = wasDownloaded
    self.resumedFrom = resumedFrom
    self.isUnchanged = isUnchanged
    self.wireBytes = wireBytes
  }
}
