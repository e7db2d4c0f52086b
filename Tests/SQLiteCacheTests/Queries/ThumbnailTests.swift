import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct ThumbnailTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([
      .sample("old", id: "1", thumbnail: "t1", published: .distantPast),
      .sample("a", id: "2", thumbnail: "t2"), .sample("b", id: "3", thumbnail: "t3"),
      .sample("none", id: "4"),
    ])
  }

  private func orders(
    _ filter: PictureFilter = .missing,
    after last: WantedPicture? = nil,
    limit: Int = 10
  ) async throws -> [WantedPicture] {
    try await store.library.wanted(.thumbnail, feedID: 1, filter, after: last, limit: limit)
  }

  @Test func `offers what is missing, newest first, page by page`() async throws {
    let first = try await orders(limit: 1)
    let second = try await orders(after: first.last, limit: 1)
    let third = try await orders(after: second.last, limit: 5)

    #expect(first.map(\.imageID) == [2])
    #expect(second.map(\.imageID) == [3])
    #expect(third.map(\.imageID) == [1])
    #expect(try await orders(after: third.last) == [])
    #expect(try await store.library.count(of: .thumbnail, feedID: 1, .missing).offered == 3)
  }

  @Test func `stores thumbnails and offers them only when all are asked for`() async throws {
    let orders = try await orders()
    try await store.library.store(
      PictureBatch(new: orders.prefix(2).map { .sample($0) }),
      .thumbnail
    )

    #expect(try await store.library.image(id: 2)?.thumbnail == .sample)
    #expect(try await store.library.image(id: 1)?.thumbnail == nil)
    #expect(try await store.library.thumbnailBytes(imageID: 2) == [1, 2, 3])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == nil)
    #expect(try await self.orders().map(\.imageID) == [1])
    #expect(try await self.orders(.all).map(\.imageID) == orders.map(\.imageID))
    #expect(try await store.library.count(of: .thumbnail, feedID: 1, .all).offered == 3)
  }

  @Test func `keeps the old thumbnail until one of the new address has come`() async throws {
    try await store.library.store(PictureBatch(new: try orders().map { .sample($0) }), .thumbnail)

    try await store.sync([.sample("a", id: "2", thumbnail: "new")])
    let wanted = try await orders()
    let before = try await store.library.thumbnailBytes(imageID: 2)
    try await store.library.store(
      PictureBatch(new: wanted.map { .sample($0, bytes: [9]) }),
      .thumbnail
    )

    #expect(wanted.map(\.address) == [.picture("new")])
    #expect(before == [1, 2, 3])
    #expect(try await store.library.thumbnailBytes(imageID: 2) == [9])
    #expect(try await store.library.image(id: 2)?.thumbnail?.bytes == 1)
    #expect(try await orders() == [])
  }

  @Test func `does not store what was asked for under an address that has changed since`()
    async throws
  {
    let before = try await orders(limit: 1)
    try await store.sync([.sample("a", id: "2", thumbnail: "new")])

    try await store.library.store(PictureBatch(new: before.map { .sample($0) }), .thumbnail)

    #expect(try await store.library.thumbnailBytes(imageID: 2) == nil)
    #expect(try await orders().first?.address == .picture("new"))
  }

  @Test func `keeps a thumbnail whose address the feed only spells otherwise`() async throws {
    try await store.library.store(PictureBatch(new: try orders().map { .sample($0) }), .thumbnail)
    var respelled = FeedEntry.sample("a", id: "2")
    respelled.images[0].thumbnailAddress = .address("http://a.bc/t2")

    #expect(try await store.sync([respelled]) == ImageCounts(total: 1, changed: 1))
    #expect(try await orders() == [])
  }

  @Test func `keeps a thumbnail that the feed no longer names`() async throws {
    try await store.library.store(PictureBatch(new: try orders().map { .sample($0) }), .thumbnail)

    try await store.sync([.sample("a", id: "2")])

    #expect(try await store.library.thumbnailBytes(imageID: 2) == [1, 2, 3])
    #expect(try await orders() == [])
  }
}
