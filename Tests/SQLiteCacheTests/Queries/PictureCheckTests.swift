import Foundation
import Models
import Store
import Sync
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct PictureCheckTests {
  private let store: TemporaryStore
  private let images = ["1", "2", "3"].map { (name: String) in
    FeedEntry.sample("o\(name)", id: name, thumbnail: "t\(name)", published: .first - 1_000)
  }
  private let due = PictureFilter(now: .second)

  /// Three images whose stored thumbnails are due at the second date.
  init() async throws {
    store = try TemporaryStore()
    try await store.sync(images)
    let orders = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      .missing,
      after: nil,
      limit: 9
    )
    try await store.library.store(PictureBatch(new: orders.map { .sample($0) }), .thumbnail)
  }

  private func dueThumbnails(_ filter: PictureFilter? = nil) async throws -> [Int64] {
    try await store.library.due(.thumbnail, feedID: 1, filter ?? due)
  }

  private func checks() throws -> [Int64?] {
    try store.numbers("SELECT coalesce(thumbnail_check_at, -1) FROM image ORDER BY id")
      .map { $0 < 0 ? nil : $0 }
  }

  private func keepOriginal(_ imageID: Int64) async throws {
    try await store.storeOriginal([1], imageID: imageID, from: "o\(imageID)")
  }

  private func unchanged(_ validators: Validators?, check: Date) -> UnchangedPicture {
    UnchangedPicture(
      imageID: 1,
      address: .picture("t1"),
      validators: validators,
      checkDate: check
    )
  }

  @Test func `says whose thumbnails are due, and how to ask about them`() async throws {
    #expect(try await dueThumbnails(PictureFilter(now: .second - 1)) == [])
    #expect(try await dueThumbnails() == [1, 2, 3])

    let orders = try await store.library.checks(.thumbnail, imageIDs: [3, 7])
    let position = try store.numbers("SELECT position FROM image WHERE id = 3")
    var order = WantedPicture(
      imageID: 3,
      address: .picture("t3"),
      rank: WantedPicture.Rank(date: 1_699_999_000, position: position[0]),
      since: .first,
      held: Validators(entityTag: "\"t\"")
    )
    order.hasThumbnail = true
    #expect(orders == [order])
  }

  @Test func `says in one answer whether any thumbnail is missing or due`() async throws {
    let early = PictureFilter(now: .second - 1)
    func wantsAny(_ filter: PictureFilter, feedID: Int64 = 1) async throws -> Bool {
      try await store.library.wantsThumbnails(feedID: feedID, filter)
    }

    #expect(try await !wantsAny(early))
    #expect(try await wantsAny(due))
    #expect(try await !wantsAny(due, feedID: 2))
    #expect(try await wantsAny(.all))
    try await store.sync(images + [.sample("new", id: "9", thumbnail: "t9")])
    #expect(try await wantsAny(early))
  }

  @Test func `what is missing is likely to be what it is since it was published`() async throws {
    try await store.sync([.sample("new", id: "9", thumbnail: "t9", published: .distantPast)])

    let order = try await store.library.wanted(.thumbnail, feedID: 1, due, after: nil, limit: 1)
      .first

    #expect(order?.since == Date(storedSeconds: Date.distantPast.storedSeconds))
    #expect(order?.held == nil)
  }

  @Test func `puts off what is unchanged, and takes validators only when there are new ones`()
    async
    throws
  {
    try await store.library.store(
      PictureBatch(unchanged: [unchanged(nil, check: .second + 60)]),
      .thumbnail
    )
    let kept = try await store.library.checks(.thumbnail, imageIDs: [1]).first?.held
    let renewed = Validators(lastModified: "Tue")
    try await store.library.store(
      PictureBatch(unchanged: [unchanged(renewed, check: .second + 60)]),
      .thumbnail
    )

    #expect(kept == Validators(entityTag: "\"t\""))
    #expect(try await store.library.checks(.thumbnail, imageIDs: [1]).first?.held == renewed)
    #expect(try await dueThumbnails() == [2, 3])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
  }

  @Test func `stores another thumbnail in its place, and calls the original stale`() async throws {
    try await keepOriginal(1)
    try await keepOriginal(2)
    let orders = try await store.library.checks(.thumbnail, imageIDs: [1])

    try await store.library.store(
      PictureBatch(changed: orders.map { .sample($0, bytes: [9]) }),
      .thumbnail
    )

    #expect(try await store.library.thumbnailBytes(imageID: 1) == [9])
    #expect(try await store.images().map(\.original) == [.stale, .stored, .missing])
  }

  @Test func `puts off what failed until the next try, and keeps it`() async throws {
    let failed = FailedPicture(
      imageID: 1,
      address: .picture("t1"),
      failureClass: .transient,
      reason: "",
      failed: .second
    )
    try await store.library.store(PictureBatch(failed: [failed]), .thumbnail)

    #expect(try await dueThumbnails() == [2, 3])
    #expect(try await dueThumbnails(PictureFilter(now: .second, retriesFailed: true)) == [2, 3, 1])
    #expect(try await dueThumbnails(PictureFilter(now: .second + 600)) == [2, 3, 1])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    try await store.library.store(
      PictureBatch(unchanged: [unchanged(nil, check: .second)]),
      .thumbnail
    )
    #expect(try store.numbers("SELECT count(*) FROM picture_failure") == [0])
  }

  @Test func `asks no more about what the feed's document does not have`() async throws {
    try await store.sync([images[0], images[2]])

    #expect(try await dueThumbnails() == [1, 3])
    #expect(try checks() == [1_700_003_600, nil, 1_700_003_600])
  }

  @Test func `asks at once about what comes back to it`() async throws {
    try await store.sync([images[0]])
    try await store.sync(images)

    #expect(try checks() == [1_700_003_600, 0, 0])
  }

  @Test func `asks no more about very many in several transactions`() async throws {
    let many = (10..<1_300).map { FeedEntry.sample("o\($0)", id: "\($0)", thumbnail: "t\($0)") }
    try await store.sync(many)
    let orders = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      .missing,
      after: nil,
      limit: 2_000
    )
    try await store.library.store(PictureBatch(new: orders.map { .sample($0) }), .thumbnail)

    try await store.sync([images[0]])

    #expect(try store.numbers("SELECT count(*) FROM image WHERE thumbnail_check_at > 0") == [0])
    #expect(try store.numbers("SELECT count(*) FROM image WHERE thumbnail_check_at = 0") == [1])
  }

  @Test func `still asks about what a document had that could not be read as a whole`() async throws
  {
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.append([images[0]])
    _ = try await writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: false)

    #expect(try await dueThumbnails() == [1, 2, 3])
  }

  @Test func `asks at once when the date of publication changes`() async throws {
    try await keepOriginal(1)
    var moved = images
    moved[0].images[0].published = .first

    try await store.sync(moved)

    #expect(try checks() == [0, 1_700_003_600, 1_700_003_600])
    #expect(try await store.library.due(.original, feedID: 1, due) == [1])
    let order = try await store.library.checks(.original, imageIDs: [1, 2])
    #expect(order.map(\.imageID) == [1])
    #expect(order.map(\.held) == [Validators(entityTag: "\"a\"", lastModified: "Sun")])
  }

  @Test func `leaves the date alone when something else changes`() async throws {
    var renamed = images
    renamed[0].images[0].title = "other"

    try await store.sync(renamed)

    #expect(try checks() == [1_700_003_600, 1_700_003_600, 1_700_003_600])
  }

  @Test func `asks nothing about a thumbnail that is wanted again or not at all`() async throws {
    var other = images
    other[0].images[0].thumbnailAddress = .picture("new")
    other[1].images[0].thumbnailAddress = nil

    try await store.sync(other)

    #expect(try checks() == [nil, nil, 1_700_003_600])
  }

  @Test func `offers all without what to ask with, but tells what is stored`() async throws {
    try await store.sync(images + [.sample("o4", id: "4", thumbnail: "t4")])

    let orders = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 9)

    #expect(orders.map(\.imageID) == [4, 1, 2, 3])
    #expect(orders.map(\.held) == [nil, Validators(), Validators(), Validators()])
    #expect(orders.map(\.since) == [.first, .first, .first, .first])
  }
}
