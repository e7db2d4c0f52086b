/// What became of the thumbnails or originals of one feed.
package struct TransferCounts: Sendable, Equatable {
  package var stored: Int
  package var failed: Int
  /// Wanted, and not asked for yet.
  package var waiting: Int

  package init(stored: Int = 0, failed: Int = 0, waiting: Int = 0) {
    self.stored = stored
    self.failed = failed
    self.waiting = waiting
  }

  /// Counts pictures that were waiting and are stored now; others may have come since the count.
  mutating func noteStored(_ number: Int = 1) {
    stored += number
    waiting = max(0, waiting - number)
  }

  /// Counts one that was waiting and has failed.
  mutating func noteFailed() {
    failed += 1
    waiting = max(0, waiting - 1)
  }
}
