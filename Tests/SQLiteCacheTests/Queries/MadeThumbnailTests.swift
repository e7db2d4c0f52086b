import Foundation
import LibraryFiles
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Thumbnails that the library makes from originals, because their feed names none or one that fails.
@Suite(.onEachStore)
struct MadeThumbnailTests {
  private let store: TemporaryStore
  private let images = ["1", "2"].map { (name: String) in
    FeedEntry.sample("o\(name)", id: name, published: .first - 1_000)
  }
  private let due = PictureFilter(now: .second)

  init() async throws {
    store = try TemporaryStore()
    try await store.sync(images)
  }

  private func unmade(
    from originals: PictureFilter.Originals = .all,
    _ filter: PictureFilter = .missing
  ) async throws -> [WantedPicture] {
    try await store.library.wanted(
      .madeThumbnail,
      feedID: 1,
      filter.from(originals),
      after: nil,
      limit: 9
    )
  }

  /// Makes the missing thumbnails, each from an original with this hash.
  private func make(_ source: String = "aa") async throws {
    let made = try await unmade().map { order in
      var thumbnail = FetchedThumbnail.sample(order)
      thumbnail.sourceSHA256 = source
      return thumbnail
    }
    try await store.library.store(PictureBatch(new: made), .madeThumbnail)
  }

  private func states() throws -> [Int64] {
    try store.numbers("SELECT thumbnail_state FROM image ORDER BY id")
  }

  @Test func `wants one of each image whose feed names none`() async throws {
    try await store.sync(images + [.sample("o3", id: "3", thumbnail: "t3")])

    #expect(try await unmade().map(\.address) == [.picture("o1"), .picture("o2")])
    #expect(try await unmade().map(\.held) == [nil, nil])
    let count = try await store.library.count(
      of: .madeThumbnail,
      feedID: 1,
      PictureFilter.missing.from(.all)
    )
    #expect(count == PictureCount(offered: 2, heldBack: 0))
  }

  @Test func `says how to make the one of an image whose original is stored`() async throws {
    #expect(try await store.library.wantedThumbnail(madeFor: 1) == nil)
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "o1")

    #expect(try await store.library.wantedThumbnail(madeFor: 1) == unmade(from: .stored).first)
    try await make()
    #expect(try await store.library.wantedThumbnail(madeFor: 1) == nil)
  }

  @Test func `stores what is made, and wants it no more`() async throws {
    try await make()

    #expect(try await unmade() == [])
    #expect(try await store.images().map { $0.thumbnail?.bytes } == [3, 3])
    #expect(try await store.images().map(\.thumbnailAddress) == [nil, nil])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    #expect(try await store.library.thumbnailSource(imageID: 1) == "aa")
    #expect(try await unmade(.all).map(\.held) == [Validators(), Validators()])
  }

  @Test func `tells stored originals from those that are to be fetched`() async throws {
    try await store.storeOriginal([1], imageID: 2, from: "o2")

    #expect(try await unmade(from: .stored).map(\.imageID) == [2])
    #expect(try await unmade(from: .notStored).map(\.imageID) == [1])
  }

  @Test func `an original under another address is made again, and the old one stays until then`()
    async
    throws
  {
    try await make()
    var other = images
    other[0].images[0].originalAddress = .picture("new")

    try await store.sync(other)

    #expect(try await unmade().map(\.address) == [.picture("new")])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    #expect(try await store.images().map { $0.thumbnail?.bytes } == [3, 3])
  }

  @Test func `what was made of another address is not taken`() async throws {
    let orders = try await unmade()
    var other = images
    other[0].images[0].originalAddress = .picture("new")
    try await store.sync(other)

    try await store.library.store(PictureBatch(new: orders.map { .sample($0) }), .madeThumbnail)

    #expect(try states() == [0, 3])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == nil)
  }

  @Test func `a feed that comes to name one has that fetched, and back`() async throws {
    try await make()
    var named = images
    named[0].images[0].thumbnailAddress = .picture("t1")
    try await store.sync(named)
    let wanted = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      .missing,
      after: nil,
      limit: 9
    )
    #expect(wanted.map(\.address) == [.picture("t1")])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    try await store.library.store(
      PictureBatch(new: wanted.map { .sample($0, bytes: [9]) }),
      .thumbnail
    )

    try await store.sync(images)

    #expect(try await unmade().map(\.imageID) == [1])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [9])
    #expect(try await store.library.thumbnailSource(imageID: 1) == nil)
  }

  @Test func `an original that has changed on this disk outdates what was made of another`()
    async throws
  {
    try await make(SHA256.ofThumbnail([1]))

    try await store.storeOriginal([1], imageID: 1, from: "o1")
    try await store.storeOriginal([2], imageID: 2, from: "o2")

    #expect(try states() == [3, 0])
  }

  @Test func `a made one that has changed outdates the original`() async throws {
    try await store.storeOriginal([1], imageID: 1, from: "o1")
    try await make(SHA256.ofThumbnail([1]))
    let orders = try await store.library.checks(.madeThumbnail, imageIDs: [1])

    try await store.library.store(
      PictureBatch(changed: orders.map { .sample($0, bytes: [9]) }),
      .madeThumbnail
    )

    #expect(try await store.images().map(\.original) == [.stale, .missing])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [9])
  }

  @Test func `says in one answer whether any is to be made or due`() async throws {
    let early = PictureFilter(now: .second - 1)
    #expect(try await store.library.wantsThumbnails(feedID: 1, early))
    try await make()

    #expect(try await !store.library.wantsThumbnails(feedID: 1, early))
    #expect(try await store.library.wantsThumbnails(feedID: 1, due))
  }

  @Test func `says which are due, and how to ask about their originals`() async throws {
    try await make()

    #expect(
      try await store.library.due(.madeThumbnail, feedID: 1, PictureFilter(now: .second - 1)) == []
    )
    #expect(try await store.library.due(.madeThumbnail, feedID: 1, due) == [1, 2])
    #expect(try await store.library.due(.thumbnail, feedID: 1, due) == [])
    let order = try await store.library.checks(.madeThumbnail, imageIDs: [2]).first
    #expect(order?.address == .picture("o2"))
    #expect(order?.held == Validators(entityTag: "\"t\""))
    #expect(order?.since == .first)
  }

  @Test func `puts off what is unchanged`() async throws {
    try await make()
    let unchanged = UnchangedPicture(
      imageID: 1,
      address: .picture("o1"),
      validators: Validators(lastModified: "Tue"),
      checkDate: .second + 60
    )

    try await store.library.store(PictureBatch(unchanged: [unchanged]), .madeThumbnail)

    #expect(try await store.library.due(.madeThumbnail, feedID: 1, due) == [2])
    let held = try await store.library.checks(.madeThumbnail, imageIDs: [1]).map(\.held)
    #expect(held == [Validators(lastModified: "Tue")])
  }

  @Test func `asks again about what comes back to the feed's document`() async throws {
    try await make()
    try await store.sync([images[0]])
    #expect(try await store.library.due(.madeThumbnail, feedID: 1, due) == [1])

    try await store.sync(images)

    #expect(
      try await store.library.due(.madeThumbnail, feedID: 1, PictureFilter(now: .first)) == [2]
    )
  }

  @Test func `holds back what could not be made, under that address`() async throws {
    let failed = FailedPicture(
      imageID: 1,
      address: .picture("o1"),
      failureClass: .permanent,
      reason: "broken",
      failed: .first
    )
    try await store.library.store(PictureBatch(failed: [failed]), .madeThumbnail)

    #expect(try await unmade().map(\.imageID) == [2])
    let count = try await store.library.count(
      of: .madeThumbnail,
      feedID: 1,
      PictureFilter.missing.from(.all)
    )
    #expect(count.offered == 1)
    #expect(count.heldBack == 1)
    var other = images
    other[0].images[0].originalAddress = .picture("new")
    try await store.sync(other)
    #expect(try await unmade().map(\.imageID) == [1, 2])
    try await make()
    #expect(try store.numbers("SELECT count(*) FROM picture_failure") == [0])
  }

  @Test func `what is damaged is made again, whatever its source`() async throws {
    try await make()

    try await store.library.mark(.thumbnail(imageID: 1), as: .damaged)

    #expect(try states() == [0, 3])
    #expect(try await store.library.thumbnailSource(imageID: 1) == nil)
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
  }

  // MARK: Named ones that fail

  /// Adds image 3, whose feed names the thumbnail "t3".
  private func nameThumbnail() async throws {
    try await store.sync(images + [.sample("o3", id: "3", thumbnail: "t3")])
  }

  private func fail(
    _ failureClass: FailureClass,
    _ kind: PictureKind = .thumbnail,
    canBeMade: Bool = true
  ) async throws {
    var failed = FailedPicture(
      imageID: 3,
      address: .picture(kind == .thumbnail ? "t3" : "o3"),
      failureClass: failureClass,
      reason: "not found",
      failed: .first
    )
    failed.canBeMade = canBeMade
    try await store.library.store(PictureBatch(failed: [failed]), kind)
  }

  @Test func `one that a feed names and that is refused is made instead`() async throws {
    try await nameThumbnail()

    try await fail(.permanent)
    let unmade = try await unmade().map(\.address)
    let before = try await store.images().last?.failures.map(\.reason)
    try await make()

    #expect(unmade.contains(.picture("o3")))
    #expect(before == ["not found"])
    #expect(try states() == [3, 3, 3])
    #expect(try await store.images().last?.failures == [])
    #expect(try await store.library.failures() == [:])
    let wanted = PictureFilter(now: .second, retriesFailed: true)
    let named = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      wanted,
      after: nil,
      limit: 9
    )
    #expect(named == [])
  }

  @Test func `one that is refused is not made without a decoder`() async throws {
    try await nameThumbnail()

    try await fail(.permanent, canBeMade: false)

    #expect(try states() == [0, 0, 2])
  }

  @Test(arguments: [FailureClass.transient, .offline])
  func `one that fails for a while is made from a stored original only, or after three failures`(
    failureClass: FailureClass
  ) async throws {
    try await nameThumbnail()

    try await fail(failureClass)
    let first = try states()
    try await store.storeOriginal([1], imageID: 3, from: "o3")
    let withOriginal = try states()
    try await make()
    try await store.library.mark(.thumbnail(imageID: 3), as: .damaged)
    let damaged = try states()
    try await store.sync(images + [.sample("o3", id: "3", thumbnail: "other")])
    let renamed = try states()
    try await store.sync(images + [.sample("o4", id: "3", thumbnail: "t3")])
    for _ in 1...3 { try await fail(failureClass) }

    #expect(first == [0, 0, 2])
    #expect(withOriginal == [0, 0, 0])
    #expect(damaged == [3, 3, 0])
    #expect(renamed == [3, 3, 2])
    #expect(try states() == [3, 3, 0])
  }

  @Test func `the named one is wanted again when none can be made`() async throws {
    try await nameThumbnail()
    try await fail(.permanent)

    try await fail(.permanent, .madeThumbnail)

    #expect(try states() == [0, 0, 2])
    #expect(try await store.images().last?.failures.map(\.kind) == [.thumbnail])
    let later = PictureFilter(now: .first + 6 * 86_400)
    let named = try await store.library.wanted(.thumbnail, feedID: 1, later, after: nil, limit: 9)
    #expect(named.map(\.address) == [.picture("t3")])
    let answer = PictureBatch(new: named.map { .sample($0, bytes: [9]) })
    try await store.library.store(answer, .thumbnail)
    #expect(try states() == [0, 0, 1])
    #expect(try await store.images().last?.failures == [])
  }

  @Test func `one that was made instead is made again when the feed names another original`()
    async throws
  {
    try await nameThumbnail()
    try await fail(.permanent)
    try await make()

    try await store.sync(images + [.sample("new", id: "3", thumbnail: "t3")])

    #expect(try states() == [3, 3, 0])
    #expect(try await unmade().map(\.address) == [.picture("new")])
    #expect(try await store.library.thumbnailBytes(imageID: 3) == [1, 2, 3])
  }

  @Test func `says that one was made instead, and that it is to be made`() async throws {
    try await nameThumbnail()
    try await fail(.permanent)
    let before = try await store.library.storage(imageID: 3)
    try await make()
    let after = try await store.library.storage(imageID: 3)

    #expect(before?.isThumbnailUnmade == true)
    #expect(after?.isThumbnailUnmade == false)
    #expect(after?.isThumbnailMade == true)
  }
}
