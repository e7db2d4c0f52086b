/// How much of the disk the originals of a library may take.
///
/// Originals that were last looked at the longest ago give way to new ones, before these are written. Originals of
/// pinned images never do; neither do thumbnails, which do not count. See `Documentation/Store.md`.
package struct StorageBounds: Sendable, Equatable {
  /// Bytes that originals may take, with the parts of those that arrive; nil for as many as there are.
  package var keep: Int?
  /// Bytes of the disk that they leave free; nil for none.
  package var keepFree: Int?

  package init(keep: Int? = nil, keepFree: Int? = nil) {
    self.keep = keep
    self.keepFree = keepFree
  }

  /// Whether there is no bound.
  package var isNone: Bool { keep == nil && keepFree == nil }
}
