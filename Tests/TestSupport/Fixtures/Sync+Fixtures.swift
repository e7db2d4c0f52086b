import Models
package import Workers

extension FeedSyncSummary {
  /// All that a feed named was had.
  package static let astronomy = FeedSyncSummary(
    address: Feed.astronomy.address,
    feed: .astronomy,
    status: .updated,
    images: ImageCounts(total: 120, new: 12, changed: 3),
    thumbnails: TransferCounts(stored: 15),
    bytes: 123_456,
    duration: .milliseconds(420)
  )

  /// A feed that was never read.
  package static let secret = FeedSyncSummary(
    address: Feed.secret.address,
    status: .failed,
    problems: [.notAllowed]
  )
}

extension SyncProblem {
  /// A feed that asks who we are.
  package static let notAllowed = SyncProblem(
    subject: .feed,
    address: Feed.secret.address,
    failure: .status(401)
  )

  /// A thumbnail that is not there.
  package static let noThumbnail = SyncProblem(
    subject: .thumbnail,
    address: .at("https://stars.example/moon-small.jpg"),
    failure: .status(404)
  )

  /// A document that was read past its faults.
  package static let damagedDocument = SyncProblem(
    subject: .document,
    address: Feed.astronomy.address,
    failure: .flaw(.malformedMarkup)
  )
}

extension StoreError {
  package static let noLibrary = StoreError(reason: .noLibrary, path: "/library", message: "")
  package static let damaged = StoreError(
    reason: .unreadable,
    path: "/library/gallery.sqlite",
    message: "file is not a database"
  )
}

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
