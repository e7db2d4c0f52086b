/// Whether an image's original is on this disk.
///
/// The raw value is what the store keeps.
package enum OriginalState: Int, Sendable {
  case missing = 0
  case stored = 1
  /// One is stored, but the feed has named another address since.
  case stale = 2

  /// Whether there is a file to look at.
  package var isStored: Bool { self != .missing }
}
