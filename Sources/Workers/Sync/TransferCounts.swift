package import Models

/// What became of the thumbnails or originals of one feed.
package struct TransferCounts: Sendable, Equatable {
  package var stored: Int
  package var failed: Int
  /// Wanted, and not asked for: not yet, or not again so soon.
  package var waiting: Int
  /// Bytes of those that wait, as far as the feed declares them; told by a dry run alone.
  package var waitingBytes = 0
  /// Why some of those wait: they have failed before, too lately to be asked for again.
  package var heldBack: [FailureGroup]

  package init(
    stored: Int = 0,
    failed: Int = 0,
    waiting: Int = 0,
    heldBack: [FailureGroup] = []
  ) {
    self.stored = stored
    self.failed = failed
    self.waiting = waiting
    self.heldBack = heldBack
  }

  /// Adds what became of others.
  static func + (one: TransferCounts, other: TransferCounts) -> TransferCounts {
    TransferCounts(
      stored: one.stored + other.stored,
      failed: one.failed + other.failed,
      waiting: one.waiting + other.waiting,
      heldBack: one.heldBack + other.heldBack
    )
  }

  /// Counts pictures that are stored now; others may have come since the waiting ones were counted.
  ///
  /// - Parameters:
  ///   - number: How many.
  ///   - wereWaiting: Whether they were counted as such; a stored picture that has changed was not.
  mutating func noteStored(_ number: Int = 1, wereWaiting: Bool = true) {
    stored += number
    if wereWaiting { waiting = max(0, waiting - number) }
  }

  /// Counts one that has failed; see `noteStored`.
  mutating func noteFailed(wasWaiting: Bool = true) {
    failed += 1
    if wasWaiting { waiting = max(0, waiting - 1) }
  }
}

/// How many pictures a document wants fetched that were not wanted before.
package struct WantedCounts: Sendable, Equatable {
  /// Those that the feed names, and those that are made.
  package var thumbnails: Int
  package var originals: Int
  /// Bytes of the originals, as far as the feed declares them.
  package var originalBytes: Int

  package init(thumbnails: Int = 0, originals: Int = 0, originalBytes: Int = 0) {
    self.thumbnails = thumbnails
    self.originals = originals
    self.originalBytes = originalBytes
  }
}
