import Foundation
import GRDB
import Models
import Testing
import Workers

@testable import SQLiteCache

struct PictureFailureTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync([
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

  private func fail(_ failures: FailedPicture...) throws {
    try store.library.store(ThumbnailBatch(failed: failures))
  }

  private func offered(_ wish: PictureWish = .missing) throws -> [Int64] {
    try store.library.thumbnailOrders(feedID: 1, wish, after: nil, limit: 10).map(\.imageID)
  }

  @Test func `remembers how a picture failed, and when to try again`() throws {
    try fail(failure())

    let row = try store.connection().read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM picture_failure")
    }
    #expect(
      row == [
        "image_id": 1, "kind": 0, "address": "https://a.bc/t1", "class": 1,
        "reason": "the server answered 503", "tries": 1, "failed_at": 1_700_000_000,
        "retry_at": 1_700_000_600,
      ]
    )
  }

  @Test func `holds one back until then, and counts it apart`() throws {
    try fail(failure())
    let before = PictureWish(now: .first + 599)
    let then = PictureWish(now: .first + 600)
    let groups = [
      FailureGroup(
        kind: .thumbnail,
        count: 1,
        reason: "the server answered 503",
        retry: .first + 600
      )
    ]

    #expect(try offered(before) == [2])
    #expect(
      try store.library.thumbnailCount(feedID: 1, before)
        == PictureCount(offered: 1, heldBack: 1, failures: groups)
    )
    #expect(try offered(then) == [1, 2])
    #expect(
      try store.library.thumbnailCount(feedID: 1, then) == PictureCount(offered: 2, heldBack: 0)
    )
  }

  @Test func `offers it all the same when failures are to be tried again, or all are wanted`()
    throws
  {
    try fail(failure())
    let retrying = PictureWish(now: .first, retriesFailed: true)

    #expect(try offered(retrying) == [1, 2])
    #expect(try offered(.all) == [1, 2])
    #expect(
      try store.library.thumbnailCount(feedID: 1, retrying) == PictureCount(offered: 2, heldBack: 0)
    )
  }

  @Test func `offers it under a new address at once`() throws {
    try fail(failure(1, "t1", .permanent))

    try store.sync([.sample("a", id: "1", thumbnail: "new")])

    #expect(try offered() == [1, 2])
  }

  @Test func `counts failures in a row of one class and address`() throws {
    try fail(failure(), failure(2, "t2"))
    try fail(failure(), failure(2, "t2", .permanent))
    try fail(failure(1, "new"), failure(2, "t2", .permanent))

    #expect(try store.numbers("SELECT tries FROM picture_failure ORDER BY image_id") == [1, 2])
  }

  @Test func `forgets a failure when the thumbnail is stored`() throws {
    try fail(failure(), failure(2, "t2"))
    let orders = try store.library.thumbnailOrders(feedID: 1, .all, after: nil, limit: 1)

    try store.library.store(ThumbnailBatch(new: orders.map { .sample($0) }))

    #expect(try store.numbers("SELECT image_id FROM picture_failure") == [2])
  }

  @Test func `keeps failures of originals apart, and forgets them with the original`() async throws
  {
    try fail(failure())
    try store.library.note([failure(1, "a", .permanent), failure(2, "b", .permanent)])
    let held = try store.library.originalCount(feedID: 1, .missing)

    try await store.storeOriginal([1], imageID: 1, from: "a")

    #expect(held.heldBack == 2)
    #expect(held.failures.map(\.count) == [2])
    #expect(
      try store.numbers("SELECT image_id * 10 + kind FROM picture_failure ORDER BY 1") == [10, 21]
    )
  }

  @Test func `remembers nothing of an image that is deleted meanwhile`() throws {
    try fail(failure(9, "t9"))

    #expect(try store.numbers("SELECT count(*) FROM picture_failure") == [0])
  }

  @Test func `forgets failures with their image`() throws {
    try fail(failure())

    _ = try store.library.removeFeed(id: 1, purging: true)

    #expect(try store.numbers("SELECT count(*) FROM picture_failure") == [0])
  }

  @Test func `goes on behind one that is held back`() throws {
    try fail(failure(2, "t2"))
    try store.sync([.sample("c", id: "3", thumbnail: "t3")])
    let first = try store.library.thumbnailOrders(feedID: 1, .missing, after: nil, limit: 1)
    let second = try store.library.thumbnailOrders(
      feedID: 1,
      .missing,
      after: first.last,
      limit: 1
    )

    #expect((first + second).map(\.imageID) == [3, 1])
  }

  @Test func `tells what failed of an image and of a feed, as long as it has that picture`() throws
  {
    try fail(failure(), failure(2, "t2", .permanent))
    try store.library.note([failure(2, "b", .permanent)])
    try store.sync([
      .sample("a", id: "1", thumbnail: "new"), .sample("b", id: "2", thumbnail: "t2"),
    ])

    let reason = "the server answered 503"
    let retry = Date.first + 5 * 86_400
    let failures = [PictureKind.thumbnail, .original].map {
      PictureFailure(kind: $0, reason: reason, tries: 1, failed: .first, retry: retry)
    }
    #expect(try store.library.image(id: 1)?.failures == [])
    #expect(try store.library.image(id: 2)?.failures == failures)
    var listed: [WebImage] = []
    try store.library.readImages(matching: ImageQuery(order: .feed), batchSize: 10) { batch in
      listed += batch
      return true
    }
    #expect(listed.map(\.failures) == [[], failures])
    let groups = [PictureKind.thumbnail, .original].map {
      FailureGroup(kind: $0, count: 1, reason: reason, retry: retry)
    }
    #expect(try store.library.failures() == [1: groups])
  }
}
