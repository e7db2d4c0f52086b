import Foundation
import Models
import Store
import Sync
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct PictureFailureTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([
      .sample("a", id: "1", thumbnail: "t1"), .sample("b", id: "2", thumbnail: "t2"),
    ])
  }

  private func failure(
    _ imageID: Int64 = 1,
    _ name: String = "t1",
    _ failureClass: FailureClass = .transient,
    failed: Date = .first
  ) -> FailedPicture {
    FailedPicture(
      imageID: imageID,
      address: .picture(name),
      failureClass: failureClass,
      reason: "the server answered 503",
      failed: failed
    )
  }

  private func fail(_ failures: FailedPicture...) async throws {
    try await store.library.store(PictureBatch(failed: failures), .thumbnail)
  }

  private func offered(_ filter: PictureFilter = .missing) async throws -> [Int64] {
    try await store.library.wanted(.thumbnail, feedID: 1, filter, after: nil, limit: 10).map(
      \.imageID
    )
  }

  @Test func `remembers how a picture failed, and when to try again`() async throws {
    try await fail(failure())

    let failure = PictureFailure(
      kind: .thumbnail,
      reason: "the server answered 503",
      tries: 1,
      failed: .first,
      retry: .first + 600
    )
    #expect(try await store.library.image(id: 1)?.failures == [failure])
    #expect(try store.numbers("SELECT class FROM picture_failure") == [1])
  }

  @Test func `holds one back until then, and counts it apart`() async throws {
    try await fail(failure())
    let before = PictureFilter(now: .first + 599)
    let then = PictureFilter(now: .first + 600)
    let groups = [
      FailureGroup(
        kind: .thumbnail,
        count: 1,
        reason: "the server answered 503",
        retry: .first + 600
      )
    ]

    #expect(try await offered(before) == [2])
    #expect(
      try await store.library.count(of: .thumbnail, feedID: 1, before)
        == PictureCount(offered: 1, heldBack: 1, failures: groups)
    )
    #expect(try await offered(then) == [1, 2])
    #expect(
      try await store.library.count(of: .thumbnail, feedID: 1, then)
        == PictureCount(offered: 2, heldBack: 0)
    )
  }

  @Test func `offers it all the same when failures are to be tried again, or all are wanted`()
    async
    throws
  {
    try await fail(failure())
    let retrying = PictureFilter(now: .first, retriesFailed: true)

    #expect(try await offered(retrying) == [1, 2])
    #expect(try await offered(.all) == [1, 2])
    #expect(
      try await store.library.count(of: .thumbnail, feedID: 1, retrying)
        == PictureCount(offered: 2, heldBack: 0)
    )
  }

  @Test func `offers it under a new address at once`() async throws {
    try await fail(failure(1, "t1", .permanent))

    try await store.sync([.sample("a", id: "1", thumbnail: "new")])

    #expect(try await offered() == [1, 2])
  }

  @Test(
    arguments: [
      (FeedReach.anywhere, [2]), (.host("a.b"), [2]), (.publicOnly, [1, 2]),
    ] as [(FeedReach, [Int64])]
  )
  func `forgets a failure at a private address once its feed may reach it`(
    reach: FeedReach,
    left: [Int64]
  ) async throws {
    var failures = [failure(1, "t1", .forbidden), failure(2, "t2", .permanent)]
    for index in failures.indices { failures[index].canBeMade = true }
    try await store.library.store(PictureBatch(failed: failures), .thumbnail)
    try await store.library.store(
      PictureBatch(failed: [failure(1, "a", .forbidden)]),
      .original
    )
    let before = try store.numbers("SELECT thumbnail_state FROM image ORDER BY id")
    let writer = store.library.writer(forFeedAt: .feed, reach: reach, now: .second)
    let document = FeedDocument(format: .rss, title: "Moon")
    _ = try await writer.finish(document, answer: FeedAnswer(), isWhole: true)

    let sql = "SELECT DISTINCT image_id FROM picture_failure ORDER BY image_id"
    #expect(try store.numbers(sql) == left)
    let after = try store.numbers("SELECT thumbnail_state FROM image ORDER BY id")
    #expect((after == before) == (left == [1, 2]))
    #expect(after.last == before.last)
    #expect(try await offered(PictureFilter(now: .first)) == (left == [1, 2] ? [] : [1]))
  }

  @Test func `counts failures in a row of one class and address`() async throws {
    try await fail(failure(), failure(2, "t2"))
    try await fail(failure(), failure(2, "t2", .permanent))
    try await fail(failure(1, "new"), failure(2, "t2", .permanent))

    #expect(try store.numbers("SELECT tries FROM picture_failure ORDER BY image_id") == [1, 2])
  }

  @Test func `forgets a failure when the thumbnail is stored`() async throws {
    try await fail(failure(), failure(2, "t2"))
    let orders = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 1)

    try await store.library.store(PictureBatch(new: orders.map { .sample($0) }), .thumbnail)

    #expect(try store.numbers("SELECT image_id FROM picture_failure") == [2])
  }

  @Test func `keeps failures of originals apart, and forgets them with the original`() async throws
  {
    try await fail(failure())
    try await store.library.store(
      PictureBatch(failed: [failure(1, "a", .permanent), failure(2, "b", .permanent)]),
      .original
    )
    let held = try await store.library.count(of: .original, feedID: 1, .missing)

    try await store.storeOriginal([1], imageID: 1, from: "a")

    #expect(held.heldBack == 2)
    #expect(held.failures.map(\.count) == [2])
    #expect(
      try store.numbers("SELECT image_id * 10 + kind FROM picture_failure ORDER BY 1") == [10, 21]
    )
  }

  @Test func `remembers nothing of an image that is deleted meanwhile`() async throws {
    try await fail(failure(9, "t9"))

    #expect(try store.numbers("SELECT count(*) FROM picture_failure") == [0])
  }

  @Test func `forgets failures with their image`() async throws {
    try await fail(failure())

    _ = try await store.library.removeFeed(id: 1, purging: true)

    #expect(try store.numbers("SELECT count(*) FROM picture_failure") == [0])
  }

  @Test func `goes on behind one that is held back`() async throws {
    try await fail(failure(2, "t2"))
    try await store.sync([.sample("c", id: "3", thumbnail: "t3")])
    let first = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      .missing,
      after: nil,
      limit: 1
    )
    let second = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      .missing,
      after: first.last,
      limit: 1
    )

    #expect((first + second).map(\.imageID) == [3, 1])
  }

  @Test func `tells what failed of an image and of a feed, as long as it has that picture`()
    async throws
  {
    try await fail(failure(), failure(2, "t2", .permanent))
    try await store.library.store(PictureBatch(failed: [failure(2, "b", .permanent)]), .original)
    try await store.sync([
      .sample("a", id: "1", thumbnail: "new"), .sample("b", id: "2", thumbnail: "t2"),
    ])

    let reason = "the server answered 503"
    let retry = Date.first + 5 * 86_400
    let failures = [PictureKind.thumbnail, .original].map {
      PictureFailure(kind: $0, reason: reason, tries: 1, failed: .first, retry: retry)
    }
    #expect(try await store.library.image(id: 1)?.failures == [])
    #expect(try await store.library.image(id: 2)?.failures == failures)
    let listed = try await store.images()
    #expect(listed.map(\.failures) == [[], failures])
    let groups = [PictureKind.thumbnail, .original].map {
      FailureGroup(kind: $0, count: 1, reason: reason, retry: retry)
    }
    #expect(try await store.library.failures() == [1: groups])
  }
}
