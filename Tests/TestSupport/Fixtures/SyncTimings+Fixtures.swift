package import Workers

extension SyncTimings {
  /// One in which each phase has taken another time, and each thing has another count.
  package static var sample: SyncTimings {
    var timings = SyncTimings()
    timings.whole = .milliseconds(4_200)
    for (index, phase) in SyncPhase.allCases.enumerated() {
      timings[phase] = .milliseconds(1 + index * 1_100)
    }
    timings.counts.requests = 1_200
    timings.counts.responses = 1_100
    timings.counts.unchanged = 20
    timings.counts.connections = 6
    timings.counts.bytes = 4_404_019
    timings.counts.documents = 1
    timings.counts.images = 500
    timings.counts.pictures = 12
    timings.counts.transactions = 104
    timings.counts.rows = 25_000
    timings.counts.flushes = 1
    timings.counts.originals = 3
    timings.counts.originalBytes = 3 << 30
    return timings
  }
}
