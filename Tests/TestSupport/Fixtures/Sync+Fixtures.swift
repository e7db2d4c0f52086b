import Models
package import Workers

extension FeedSyncSummary {
  /// A feed of which all pictures arrived.
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
  /// A feed that requires a login.
  package static let notAllowed = SyncProblem(
    subject: .feed,
    address: Feed.secret.address,
    failure: .status(401)
  )

  /// A thumbnail that does not exist.
  package static let noThumbnail = SyncProblem(
    subject: .thumbnail,
    address: .at("https://stars.example/moon-small.jpg"),
    failure: .status(404)
  )

  /// A damaged document that was read nevertheless.
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
  /// Timings with a different time for each phase, and a different count for each thing.
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
