import Foundation
import Models
import Testing
import Workers

@testable import SQLiteCache

struct ThumbnailTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync([
      .sample("old", id: "1", thumbnail: "t1", published: .distantPast),
      .sample("a", id: "2", thumbnail: "t2"), .sample("b", id: "3", thumbnail: "t3"),
      .sample("none", id: "4"),
    ])
  }

  private func orders(
    _ wish: PictureWish = .missing,
    after last: PictureOrder? = nil,
    limit: Int = 10
  ) throws -> [PictureOrder] {
    try store.library.thumbnailOrders(feedID: 1, wish, after: last, limit: limit)
  }

  @Test func `offers what is missing, newest first, page by page`() throws {
    let first = try orders(limit: 1)
    let second = try orders(after: first.last, limit: 1)
    let third = try orders(after: second.last, limit: 5)

    #expect(first.map(\.imageID) == [2])
    #expect(second.map(\.imageID) == [3])
    #expect(third.map(\.imageID) == [1])
    #expect(try orders(after: third.last) == [])
    #expect(try store.library.thumbnailCount(feedID: 1, .missing).offered == 3)
  }

  @Test func `stores thumbnails and offers them only when all are asked for`() throws {
    let orders = try orders()
    try store.library.store(ThumbnailBatch(new: orders.prefix(2).map { .sample($0) }))

    let info = PictureInfo(format: .jpeg, bytes: 3, width: 320, height: 200)
    #expect(try store.library.image(id: 2)?.thumbnail == info)
    #expect(try store.library.thumbnailBytes(imageID: 2) == [1, 2, 3])
    #expect(try store.library.thumbnailBytes(imageID: 1) == nil)
    #expect(try self.orders().map(\.imageID) == [1])
    #expect(try self.orders(.all).map(\.imageID) == orders.map(\.imageID))
    #expect(try store.library.thumbnailCount(feedID: 1, .all).offered == 3)
  }

  @Test func `keeps the old thumbnail until one of the new address has come`() throws {
    try store.library.store(ThumbnailBatch(new: try orders().map { .sample($0) }))

    try store.sync([.sample("a", id: "2", thumbnail: "new")])
    let wanted = try orders()
    let before = try store.library.thumbnailBytes(imageID: 2)
    try store.library.store(ThumbnailBatch(new: wanted.map { .sample($0, bytes: [9]) }))

    #expect(wanted.map(\.address) == [.picture("new")])
    #expect(before == [1, 2, 3])
    #expect(try store.library.thumbnailBytes(imageID: 2) == [9])
    #expect(try store.library.image(id: 2)?.thumbnail?.bytes == 1)
    #expect(try orders() == [])
  }

  @Test func `does not store what was asked for under an address that has changed since`() throws {
    let before = try orders(limit: 1)
    try store.sync([.sample("a", id: "2", thumbnail: "new")])

    try store.library.store(ThumbnailBatch(new: before.map { .sample($0) }))

    #expect(try store.library.thumbnailBytes(imageID: 2) == nil)
    #expect(try orders().first?.address == .picture("new"))
  }

  @Test func `keeps a thumbnail whose address the feed only spells otherwise`() throws {
    try store.library.store(ThumbnailBatch(new: try orders().map { .sample($0) }))
    var respelled = FeedEntry.sample("a", id: "2")
    respelled.images[0].thumbnailAddress = .address("http://a.bc/t2")

    #expect(try store.sync([respelled]) == ImageCounts(total: 1, changed: 1))
    #expect(try orders() == [])
  }

  @Test func `keeps a thumbnail that the feed no longer names`() throws {
    try store.library.store(ThumbnailBatch(new: try orders().map { .sample($0) }))

    try store.sync([.sample("a", id: "2")])

    #expect(try store.library.thumbnailBytes(imageID: 2) == [1, 2, 3])
    #expect(try orders() == [])
  }
}
