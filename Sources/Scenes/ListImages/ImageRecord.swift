import Models

/// An image in a list for scripts: raw values, and nothing of where its original is.
package struct ImageRecord: Equatable, Sendable {
  package struct Feed: Equatable, Sendable {
    package var id: Int64
    package var title: String?
  }

  package struct Thumbnail: Equatable, Sendable {
    package var url: String?
    package var stored: Bool
    package var bytes: Int?
    package var type: String?
    package var width: Int?
    package var height: Int?
    package var damaged = false
  }

  package var id: Int64
  package var title: String?
  package var caption: String?
  package var author: String?
  package var published: String?
  package var feed: Feed
  package var thumbnail: Thumbnail
  package var originalStored: Bool
  package var originalDamaged = false
  package var gone: Bool
  package var failures: [FailureRecord] = []

  /// One of which nothing is known.
  package static let blank = ImageRecord(
    id: 0,
    feed: Feed(id: 0),
    thumbnail: Thumbnail(stored: false),
    originalStored: false,
    gone: false
  )
}

/// Why a picture of an image could not be had lately, for scripts.
package struct FailureRecord: Equatable, Sendable {
  /// `thumbnail` or `original`.
  package var picture: String
  package var reason: String
  package var tries: Int
  package var failed: String
  package var retry: String
}

/// How many pictures could not be had lately, and why, for scripts.
package struct FailureGroupRecord: Equatable, Sendable {
  /// `thumbnail` or `original`.
  package var picture: String
  package var count: Int
  package var reason: String
  package var retry: String
}

extension FailureRecord {
  init(_ failure: PictureFailure) {
    self.init(
      picture: failure.kind.recordName,
      reason: failure.reason,
      tries: failure.tries,
      failed: Wording.timestamp(failure.failed),
      retry: Wording.timestamp(failure.retry)
    )
  }
}

extension FailureGroupRecord {
  init(_ group: FailureGroup) {
    self.init(
      picture: group.kind.recordName,
      count: group.count,
      reason: group.reason,
      retry: Wording.timestamp(group.retry)
    )
  }
}

extension PictureKind {
  fileprivate var recordName: String { self == .original ? "original" : "thumbnail" }
}
