/// How a whole sync ended.
package struct SyncEnd: Sendable, Equatable {
  /// Whether it was asked to stop before it was done.
  package var isInterrupted: Bool

  /// Where its time went; nil when nobody wanted to know.
  package var timings: SyncTimings?

  package init(isInterrupted: Bool, timings: SyncTimings? = nil) {
    self.isInterrupted = isInterrupted
    self.timings = timings
  }
}
