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
}
