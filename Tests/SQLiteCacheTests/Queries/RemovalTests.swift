import Foundation
import Models
import Store
import Sync
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct RemovalTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
    try await store.sync([.sample("x", id: "1")], to: .otherFeed)
  }

  @Test func `hides a feed and its images`() async throws {
    let removed = try await store.library.removeFeed(id: 1, purging: false)

    #expect(removed?.feed.address == .feed)
    #expect(removed?.images == 2)
    #expect(try await store.names() == ["x"])
    #expect(try await store.names(ImageQuery(search: "moon")) == ["x"])
    #expect(try await store.library.feeds().map(\.id) == [2])
    #expect(try await store.library.image(id: 1) == nil)
    #expect(try await store.library.removeFeed(id: 1, purging: false) == nil)
    #expect(try await store.library.removeFeed(id: 9, purging: true) == nil)
  }

  @Test func `brings the same ids back when the feed is synced again`() async throws {
    _ = try await store.library.removeFeed(id: 1, purging: false)

    let counts = try await store.sync([.sample("b", id: "2")])

    #expect(counts == ImageCounts(total: 1))
    #expect(try await store.listing() == ["1 a", "2 b", "3 x"])
    #expect(try await store.library.feeds().map(\.id) == [1, 2])
  }

  @Test(.only(.sqlite, "removal in steps"))
  func `lists no image of a feed whose removal broke off`() async throws {
    try store.execute("UPDATE feed SET is_removed = 1, row_checksum = NULL WHERE id = 1")
    try store.execute("UPDATE image SET is_hidden = 1 WHERE id = 1")
    let names = try await store.names()
    let image = try await store.library.image(id: 2)
    let rest = try await store.library.removeFeed(id: 1, purging: false)

    #expect(names == ["x"])
    #expect(image == nil)
    #expect(rest?.images == 1)
    #expect(try store.numbers("SELECT is_hidden FROM image ORDER BY id") == [1, 1, 0])
  }

  @Test(.only(.sqlite, "removal in steps"))
  func `shows the rest of a feed whose return broke off`() async throws {
    try store.execute("UPDATE image SET is_hidden = 1 WHERE id = 1")

    try await store.sync([.sample("b", id: "2")])

    #expect(try await store.names() == ["a", "b", "x"])
  }

  @Test func `deletes all that only a purged feed needs, and never gives its ids again`()
    async throws
  {
    let shared: [UInt8] = [1, 2]
    try await keep(shared, imageID: 1)
    try await keep([3, 4], imageID: 2)
    try await keep(shared, imageID: 3)
    let order = WantedPicture(
      imageID: 1,
      address: .picture("t"),
      rank: WantedPicture.Rank(date: 0, position: 0),
      since: .first
    )
    try await store.sync([.sample("a", id: "1", thumbnail: "t")])
    try await store.library.store(PictureBatch(new: [.sample(order)]), .thumbnail)

    let removed = try await store.library.removeFeed(id: 1, purging: true)

    #expect(removed?.images == 2)
    #expect(removed?.originals == 1)
    #expect(try store.numbers("SELECT id FROM image") == [3])
    #expect(try store.numbers("SELECT count(*) FROM thumbnail") == [0])
    #expect(try store.numbers("SELECT count(*) FROM original") == [1])
    #expect(try await store.library.original(imageID: 3) != nil)
    try await store.sync([.sample("a", id: "1")])
    #expect(try await store.listing() == ["3 x", "4 a"])
    #expect(try await store.library.feeds().map(\.id) == [2, 3])
  }

  @Test func `purges a feed that was only hidden before`() async throws {
    _ = try await store.library.removeFeed(id: 1, purging: false)

    #expect(try await store.library.removeFeed(id: 1, purging: true)?.images == 2)
    #expect(try store.numbers("SELECT id FROM feed") == [2])
  }

  @Test func `fails to write a document of a feed that is removed meanwhile`() async throws {
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.append([.sample("c", id: "3"), .sample("d", id: "4")])
    _ = try await store.library.removeFeed(id: 1, purging: true)

    await #expect(throws: StoreError.self) { try await writer.append([.sample("e", id: "5")]) }
    #expect(try await writer.breakOff(problem: "removed").feed == nil)
    #expect(try await store.names() == ["x"])
  }

  @Test func `purges the addresses that a feed had before, and what could not be had`() async throws
  {
    let moved = FeedAnswer(permanentAddress: .picture("feed"))
    for _ in 1...2 { try await store.sync([.sample("a", id: "1")], answer: moved) }
    try store.execute(
      "INSERT INTO picture_failure VALUES (1, 0, 'https://a.bc/a', 2, 'gone', 1, 1, 2)"
    )
    let aliases = try store.numbers("SELECT count(*) FROM feed_alias")

    _ = try await store.library.removeFeed(id: 1, purging: true)

    #expect(aliases == [1])
    #expect(try store.numbers("SELECT count(*) FROM feed_alias") == [0])
    #expect(try store.numbers("SELECT count(*) FROM picture_failure") == [0])
    try await store.sync([.sample("a", id: "1")])
    #expect(try await store.library.feeds().map(\.id) == [2, 3])
  }

  private func keep(_ bytes: [UInt8], imageID: Int64) async throws {
    let file = try await store.library.openOriginalFile(imageID: imageID)
    try await file.restart(OriginalVersion(address: .picture("o")))
    try await file.append(bytes)
    let info = PictureInfo(format: .png, bytes: bytes.count, width: 1, height: 1)
    _ = try await file.commit(.sample(info, from: "o"))
  }
}
