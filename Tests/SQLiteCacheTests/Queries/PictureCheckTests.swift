import Foundation
import GRDB
import Models
import Testing
import Workers

@testable import SQLiteCache

struct PictureCheckTests {
  private let store: TemporaryLibrary
  private let images = ["1", "2", "3"].map { (name: String) in
    FeedEntry.sample("o\(name)", id: name, thumbnail: "t\(name)", published: .first - 1_000)
  }
  private let due = PictureWish(now: .second)

  /// Three images whose thumbnails have come and are due at the second date.
  init() throws {
    store = try TemporaryLibrary()
    try store.sync(images)
    let orders = try store.library.thumbnailOrders(feedID: 1, .missing, after: nil, limit: 9)
    try store.library.store(ThumbnailBatch(new: orders.map { .sample($0) }))
  }

  private func dueThumbnails(_ wish: PictureWish? = nil) throws -> [Int64] {
    try store.library.dueThumbnails(feedID: 1, wish ?? due)
  }

  private func checks() throws -> [Int64?] {
    try store.connection().read { db in
      try Int64?.fetchAll(db, sql: "SELECT thumbnail_check_at FROM image ORDER BY id")
    }
  }

  private func keepOriginal(_ imageID: Int64) async throws {
    try await store.storeOriginal([1], imageID: imageID, from: "o\(imageID)")
  }

  private func unchanged(_ validators: Validators?, check: Date) -> UnchangedThumbnail {
    UnchangedThumbnail(
      imageID: 1,
      address: .picture("t1"),
      validators: validators,
      checkDate: check
    )
  }

  @Test func `says whose thumbnails are due, and how to ask about them`() throws {
    #expect(try dueThumbnails(PictureWish(now: .second - 1)) == [])
    #expect(try dueThumbnails() == [1, 2, 3])

    let orders = try store.library.thumbnailChecks(imageIDs: [3, 7])
    let place = try store.numbers("SELECT place FROM image WHERE id = 3")
    let order = PictureOrder(
      imageID: 3,
      address: .picture("t3"),
      rank: PictureOrder.Rank(date: 1_699_999_000, place: place[0]),
      since: .first,
      held: Validators(entityTag: "\"t\"")
    )
    #expect(orders == [order])
  }

  @Test func `says in one answer whether any thumbnail is missing or due`() throws {
    let early = PictureWish(now: .second - 1)
    func wantsAny(_ wish: PictureWish, feedID: Int64 = 1) throws -> Bool {
      try store.library.wantsThumbnails(feedID: feedID, wish)
    }

    #expect(try !wantsAny(early))
    #expect(try wantsAny(due))
    #expect(try !wantsAny(due, feedID: 2))
    #expect(try wantsAny(.all))
    try store.sync(images + [.sample("new", id: "9", thumbnail: "t9")])
    #expect(try wantsAny(early))
  }

  @Test func `what is missing is likely to be what it is since it was published`() throws {
    try store.sync([.sample("new", id: "9", thumbnail: "t9", published: .distantPast)])

    let order = try store.library.thumbnailOrders(feedID: 1, due, after: nil, limit: 1).first

    #expect(order?.since == Date(storedSeconds: Date.distantPast.storedSeconds))
    #expect(order?.held == nil)
  }

  @Test func `puts off what is unchanged, and takes validators only when there are new ones`()
    throws
  {
    try store.library.store(ThumbnailBatch(unchanged: [unchanged(nil, check: .second + 60)]))
    let kept = try store.library.thumbnailChecks(imageIDs: [1]).first?.held
    let renewed = Validators(lastModified: "Tue")
    try store.library.store(ThumbnailBatch(unchanged: [unchanged(renewed, check: .second + 60)]))

    #expect(kept == Validators(entityTag: "\"t\""))
    #expect(try store.library.thumbnailChecks(imageIDs: [1]).first?.held == renewed)
    #expect(try dueThumbnails() == [2, 3])
    #expect(try store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
  }

  @Test func `stores another thumbnail in its place, and calls the original stale`() async throws {
    try await keepOriginal(1)
    try await keepOriginal(2)
    let orders = try store.library.thumbnailChecks(imageIDs: [1])

    try store.library.store(ThumbnailBatch(changed: orders.map { .sample($0, bytes: [9]) }))

    #expect(try store.library.thumbnailBytes(imageID: 1) == [9])
    #expect(try store.images().map(\.original) == [.stale, .stored, .missing])
  }

  @Test func `puts off what failed until the next try, and keeps it`() throws {
    let failed = FailedPicture(
      imageID: 1,
      address: .picture("t1"),
      failureClass: .transient,
      reason: "",
      failed: .second
    )
    try store.library.store(ThumbnailBatch(failed: [failed]))

    #expect(try dueThumbnails() == [2, 3])
    #expect(try dueThumbnails(PictureWish(now: .second, retriesFailed: true)) == [2, 3, 1])
    #expect(try dueThumbnails(PictureWish(now: .second + 600)) == [2, 3, 1])
    #expect(try store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    try store.library.store(ThumbnailBatch(unchanged: [unchanged(nil, check: .second)]))
    #expect(try store.numbers("SELECT count(*) FROM picture_failure") == [0])
  }

  @Test func `asks no more about what the feed's document does not have`() throws {
    try store.sync([images[0], images[2]])

    #expect(try dueThumbnails() == [1, 3])
    #expect(try checks() == [1_700_003_600, nil, 1_700_003_600])
  }

  @Test func `asks at once about what comes back to it`() throws {
    try store.sync([images[0]])
    try store.sync(images)

    #expect(try checks() == [1_700_003_600, 0, 0])
  }

  @Test func `asks no more about very many in several transactions`() throws {
    let many = (10..<1_300).map { FeedEntry.sample("o\($0)", id: "\($0)", thumbnail: "t\($0)") }
    try store.sync(many)
    let orders = try store.library.thumbnailOrders(feedID: 1, .missing, after: nil, limit: 2_000)
    try store.library.store(ThumbnailBatch(new: orders.map { .sample($0) }))

    try store.sync([images[0]])

    #expect(try store.numbers("SELECT count(*) FROM image WHERE thumbnail_check_at > 0") == [0])
    #expect(try store.numbers("SELECT count(*) FROM image WHERE thumbnail_check_at = 0") == [1])
  }

  @Test func `still asks about what a document had that could not be read as a whole`() throws {
    let writer = try store.library.writer(forFeedAt: .feed, now: .first)
    try writer.append([images[0]])
    _ = try writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: false)

    #expect(try dueThumbnails() == [1, 2, 3])
  }

  @Test func `asks at once when the date of publication changes`() async throws {
    try await keepOriginal(1)
    var moved = images
    moved[0].images[0].published = .first

    try store.sync(moved)

    #expect(try checks() == [0, 1_700_003_600, 1_700_003_600])
    #expect(try store.library.dueOriginals(feedID: 1, due) == [1])
    let order = try store.library.originalChecks(imageIDs: [1, 2])
    #expect(order.map(\.imageID) == [1])
    #expect(order.map(\.held) == [Validators(entityTag: "\"a\"", lastModified: "Sun")])
  }

  @Test func `leaves the date alone when something else changes`() throws {
    var renamed = images
    renamed[0].images[0].title = "other"

    try store.sync(renamed)

    #expect(try checks() == [1_700_003_600, 1_700_003_600, 1_700_003_600])
  }

  @Test func `asks nothing about a thumbnail that is wanted anew or not at all`() throws {
    var other = images
    other[0].images[0].thumbnailAddress = .picture("new")
    other[1].images[0].thumbnailAddress = nil

    try store.sync(other)

    #expect(try checks() == [nil, nil, 1_700_003_600])
  }

  @Test func `offers all without what to ask with, but tells what is stored`() throws {
    try store.sync(images + [.sample("o4", id: "4", thumbnail: "t4")])

    let orders = try store.library.thumbnailOrders(feedID: 1, .all, after: nil, limit: 9)

    #expect(orders.map(\.imageID) == [4, 1, 2, 3])
    #expect(orders.map(\.held) == [nil, Validators(), Validators(), Validators()])
    #expect(orders.map(\.since) == [.first, .first, .first, .first])
  }
}
