import Foundation
import GRDB
import Models
import Testing
import Workers

@testable import SQLiteCache

/// Thumbnails that are made from originals, because their feed names none.
struct MadeThumbnailTests {
  private let store: TemporaryLibrary
  private let images = ["1", "2"].map { (name: String) in
    FeedEntry.sample("o\(name)", id: name, published: .first - 1_000)
  }
  private let due = PictureWish(now: .second)

  init() throws {
    store = try TemporaryLibrary()
    try store.sync(images)
  }

  private func unmade(
    from originals: MadeThumbnailOriginals = .all,
    _ wish: PictureWish = .missing
  ) throws -> [PictureOrder] {
    try store.library.unmadeOrders(feedID: 1, from: originals, wish, after: nil, limit: 9)
  }

  /// Makes those of the images that lack one, each of an original with this hash.
  private func make(_ source: String = "aa") throws {
    let made = try unmade().map { order in
      var thumbnail = FetchedThumbnail.sample(order)
      thumbnail.sourceSHA256 = source
      return thumbnail
    }
    try store.library.storeMade(ThumbnailBatch(new: made))
  }

  private func states() throws -> [Int64] {
    try store.numbers("SELECT thumbnail_state FROM image ORDER BY id")
  }

  @Test func `wants one of each image whose feed names none`() throws {
    try store.sync(images + [.sample("o3", id: "3", thumbnail: "t3")])

    #expect(try unmade().map(\.address) == [.picture("o1"), .picture("o2")])
    #expect(try unmade().map(\.held) == [nil, nil])
    let count = try store.library.unmadeCount(feedID: 1, from: .all, .missing)
    #expect(count == PictureCount(offered: 2, heldBack: 0))
  }

  @Test func `says how to make the one of an image whose original is stored`() async throws {
    #expect(try store.library.unmadeOrder(imageID: 1) == nil)
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "o1")

    #expect(try store.library.unmadeOrder(imageID: 1) == unmade(from: .stored).first)
    try make()
    #expect(try store.library.unmadeOrder(imageID: 1) == nil)
  }

  @Test func `stores what is made, and wants it no more`() throws {
    try make()

    #expect(try unmade() == [])
    #expect(try store.images().map { $0.thumbnail?.bytes } == [3, 3])
    #expect(try store.images().map(\.thumbnailAddress) == [nil, nil])
    #expect(try store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    #expect(try store.library.thumbnailSource(imageID: 1) == "aa")
    #expect(try unmade(.all).map(\.held) == [Validators(), Validators()])
  }

  @Test func `tells stored originals from those that are to be fetched`() async throws {
    try await store.storeOriginal([1], imageID: 2, from: "o2")

    #expect(try unmade(from: .stored).map(\.imageID) == [2])
    #expect(try unmade(from: .notStored).map(\.imageID) == [1])
  }

  @Test func `an original under another address is made anew, and the old one stays until then`()
    throws
  {
    try make()
    var other = images
    other[0].images[0].originalAddress = .picture("new")

    try store.sync(other)

    #expect(try unmade().map(\.address) == [.picture("new")])
    #expect(try store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    #expect(try store.images().map { $0.thumbnail?.bytes } == [3, 3])
  }

  @Test func `what was made of another address is not taken`() throws {
    let orders = try unmade()
    var other = images
    other[0].images[0].originalAddress = .picture("new")
    try store.sync(other)

    try store.library.storeMade(ThumbnailBatch(new: orders.map { .sample($0) }))

    #expect(try states() == [0, 3])
    #expect(try store.library.thumbnailBytes(imageID: 1) == nil)
  }

  @Test func `a feed that comes to name one has that fetched, and back`() throws {
    try make()
    var named = images
    named[0].images[0].thumbnailAddress = .picture("t1")
    try store.sync(named)
    let wanted = try store.library.thumbnailOrders(feedID: 1, .missing, after: nil, limit: 9)
    #expect(wanted.map(\.address) == [.picture("t1")])
    #expect(try store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    try store.library.store(ThumbnailBatch(new: wanted.map { .sample($0, bytes: [9]) }))

    try store.sync(images)

    #expect(try unmade().map(\.imageID) == [1])
    #expect(try store.library.thumbnailBytes(imageID: 1) == [9])
    #expect(try store.library.thumbnailSource(imageID: 1) == nil)
  }

  @Test func `an original that has changed on this disk outdates what was made of another`()
    async throws
  {
    try make(store.library.sha256(of: [1]))

    try await store.storeOriginal([1], imageID: 1, from: "o1")
    try await store.storeOriginal([2], imageID: 2, from: "o2")

    #expect(try states() == [3, 0])
  }

  @Test func `a made one that has changed outdates the original`() async throws {
    try await store.storeOriginal([1], imageID: 1, from: "o1")
    try make(store.library.sha256(of: [1]))
    let orders = try store.library.madeThumbnailChecks(imageIDs: [1])

    try store.library.storeMade(ThumbnailBatch(changed: orders.map { .sample($0, bytes: [9]) }))

    #expect(try store.images().map(\.original) == [.stale, .missing])
    #expect(try store.library.thumbnailBytes(imageID: 1) == [9])
  }

  @Test func `says in one answer whether any is to be made or due`() throws {
    let early = PictureWish(now: .second - 1)
    #expect(try store.library.wantsThumbnails(feedID: 1, early))
    try make()

    #expect(try !store.library.wantsThumbnails(feedID: 1, early))
    #expect(try store.library.wantsThumbnails(feedID: 1, due))
  }

  @Test func `says which are due, and how to ask about their originals`() throws {
    try make()

    #expect(try store.library.dueMadeThumbnails(feedID: 1, PictureWish(now: .second - 1)) == [])
    #expect(try store.library.dueMadeThumbnails(feedID: 1, due) == [1, 2])
    #expect(try store.library.dueThumbnails(feedID: 1, due) == [])
    let order = try store.library.madeThumbnailChecks(imageIDs: [2]).first
    #expect(order?.address == .picture("o2"))
    #expect(order?.held == Validators(entityTag: "\"t\""))
    #expect(order?.since == .first)
  }

  @Test func `puts off what is unchanged`() throws {
    try make()
    let unchanged = UnchangedThumbnail(
      imageID: 1,
      address: .picture("o1"),
      validators: Validators(lastModified: "Tue"),
      checkDate: .second + 60
    )

    try store.library.storeMade(ThumbnailBatch(unchanged: [unchanged]))

    #expect(try store.library.dueMadeThumbnails(feedID: 1, due) == [2])
    let held = try store.library.madeThumbnailChecks(imageIDs: [1]).map(\.held)
    #expect(held == [Validators(lastModified: "Tue")])
  }

  @Test func `asks again about what comes back to the feed's document`() throws {
    try make()
    try store.sync([images[0]])
    #expect(try store.library.dueMadeThumbnails(feedID: 1, due) == [1])

    try store.sync(images)

    #expect(try store.library.dueMadeThumbnails(feedID: 1, PictureWish(now: .first)) == [2])
  }

  @Test func `holds back what could not be made, under that address`() throws {
    let failed = FailedPicture(
      imageID: 1,
      address: .picture("o1"),
      failureClass: .permanent,
      reason: "broken",
      failed: .first
    )
    try store.library.storeMade(ThumbnailBatch(failed: [failed]))

    #expect(try unmade().map(\.imageID) == [2])
    let count = try store.library.unmadeCount(feedID: 1, from: .all, .missing)
    #expect(count.offered == 1)
    #expect(count.heldBack == 1)
    var other = images
    other[0].images[0].originalAddress = .picture("new")
    try store.sync(other)
    #expect(try unmade().map(\.imageID) == [1, 2])
    try make()
    #expect(try store.numbers("SELECT count(*) FROM picture_failure") == [0])
  }

  @Test func `what is damaged is made again, whatever its source`() throws {
    try make()

    try store.library.mark(.thumbnail(imageID: 1), as: .damaged)

    #expect(try states() == [0, 3])
    #expect(try store.library.thumbnailSource(imageID: 1) == nil)
    #expect(try store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
  }
}
