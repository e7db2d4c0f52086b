import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// The number of images that a feed keeps (`FeedRetention`).
@Suite(.onEachStore)
struct RetentionTests {
  private let store: TemporaryStore

  /// Four images, one per day, the newest first, each with a thumbnail and an original.
  init() async throws {
    store = try TemporaryStore()
    try await sync()
    let wanted = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      .missing,
      after: nil,
      limit: 9
    )
    try await store.library.store(
      PictureBatch(new: wanted.map { .sample($0, bytes: [UInt8($0.imageID)]) }),
      .thumbnail
    )
    for id: Int64 in 1...4 {
      try await store.storeOriginal([UInt8(id)], imageID: id, from: Self.names[Int(id) - 1])
    }
  }

  private static let names = ["a", "b", "c", "d"]

  private func sync(_ names: [String] = Self.names) async throws {
    let entries = names.map { name in
      let day = Self.names.firstIndex(of: name).map { 9 - $0 } ?? 20
      let date = Date(timeIntervalSince1970: 86_400 * Double(day))
      return FeedEntry.sample(name, id: name, thumbnail: "small-\(name)", published: date)
    }
    try await store.sync(entries)
  }

  private func keep(
    images: Int? = nil,
    originals: Int? = nil
  ) async throws -> RetiredPictures {
    let change = FeedChange(images: .init(images), originals: .init(originals))
    _ = try await store.library.set(change, ofFeed: 1)
    return try await store.library.keepNewest(ofFeed: 1)
  }

  private func files() throws -> Int {
    try FileManager.default.subpathsOfDirectory(atPath: store.path + "/originals")
      .count { $0.contains(".") }
  }

  @Test func `is a setting of the feed that lasts`() async throws {
    let library = store.library
    _ = try await library.set(FeedChange(images: .given(3)), ofFeed: 1)
    _ = try await library.set(FeedChange(originals: .given(2)), ofFeed: 1)
    #expect(try await library.feeds().map(\.retention) == [.init(images: 3, originals: 2)])

    _ = try await library.set(FeedChange(images: .usual), ofFeed: 1)
    #expect(try await library.feeds().map(\.retention) == [.init(originals: 2)])
  }

  @Test func `without a retention nothing is taken away`() async throws {
    #expect(try await store.library.keepNewest(ofFeed: 1) == RetiredPictures())
    #expect(try await store.names() == Self.names)
  }

  @Test func `keeps the newest images, and those that are pinned`() async throws {
    _ = try await store.library.setPinned(true, imageIDs: [4])

    #expect(try await keep(images: 2) == RetiredPictures(images: 1))

    #expect(try await store.names() == ["a", "b", "d"])
    #expect(try await store.library.feeds().map(\.imageCount) == [3])
    #expect(try await store.library.image(id: 3) == nil)
    #expect(try files() == 3)
    #expect(try store.numbers("SELECT count(*) FROM thumbnail") == [3])
    #expect(try await store.images(ImageQuery(order: .random)).count == 3)
    #expect(try await store.images(ImageQuery(search: "none")).isEmpty)
    #expect(try await store.library.databaseFaults() == [])
  }

  @Test func `an image that was taken away does not come back as a new one`() async throws {
    _ = try await keep(images: 2)

    try await sync()
    #expect(try await store.names() == ["a", "b"])
    #expect(
      try await store.library.count(of: .thumbnail, feedID: 1, .missing).wanted == 0
    )

    try await sync(["e"] + Self.names)
    #expect(try await store.library.keepNewest(ofFeed: 1) == RetiredPictures(images: 1))
    #expect(try await store.names() == ["e", "a"])
  }

  @Test func `a wider retention brings images back, whose pictures are wanted again`() async throws
  {
    _ = try await keep(images: 1)
    #expect(try await store.names() == ["a"])

    _ = try await keep(images: 3)
    #expect(try await store.names() == ["a", "b", "c"])

    #expect(try await keep() == RetiredPictures())
    #expect(try await store.listing() == ["1 a", "2 b", "3 c", "4 d"])
    #expect(try await store.library.feeds().map(\.imageCount) == [4])
    #expect(try await store.library.count(of: .thumbnail, feedID: 1, .missing).wanted == 3)
  }

  @Test func `keeps the originals of the newest, and wants no others`() async throws {
    _ = try await store.library.setPinned(true, imageIDs: [3])

    #expect(try await keep(originals: 1) == RetiredPictures(originals: 2))

    #expect(try await store.images().map(\.original) == [.stored, .missing, .stored, .missing])
    #expect(try files() == 2)
    #expect(try await store.library.count(of: .original, feedID: 1, .missing).wanted == 0)
    #expect(try await store.names() == Self.names)
  }

  @Test func `an original that was taken away is not damaged any more`() async throws {
    let original = try #require(try await store.library.original(imageID: 4))
    try await store.library.mark(.original(path: original.path, imageIDs: [4]), as: .damaged)

    _ = try await keep(originals: 1)

    #expect(try await store.images().map(\.original) == [.stored, .missing, .missing, .missing])
    #expect(try await store.images().allSatisfy { !$0.isOriginalDamaged })
  }

  @Test func `another feed's image keeps an original that both have`() async throws {
    try await store.sync([.sample("d")], to: .otherFeed)
    try await store.storeOriginal([4], imageID: 5, from: "d")

    _ = try await keep(images: 1)

    #expect(try await store.library.original(imageID: 5) != nil)
    #expect(try files() == 2)
  }
}
