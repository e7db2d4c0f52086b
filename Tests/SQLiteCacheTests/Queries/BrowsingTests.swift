import Dispatch
import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct BrowsingTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync(
      ["a", "b", "c"].map { .sample($0, id: $0, title: $0, thumbnail: "\($0)t") }
    )
  }

  private func storeThumbnails() async throws {
    let wanted = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 9)
    try await store.library.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
  }

  @Test(.only(.sqlite, "packs in the folder"))
  func `of images with the same picture any whole one is given`() async throws {
    try await storeThumbnails()
    let hash = try #require(PictureInfo.sample.hash)
    try store.execute("UPDATE thumbnail SET offset = 1000000 WHERE image_id IN (1, 2)")

    #expect(try await store.library.thumbnail(hash)?.bytes == [1, 2, 3])
    try store.execute("UPDATE thumbnail SET checksum = 7 WHERE image_id = 3")
    #expect(try await store.library.thumbnail(hash) == nil)
  }

  @Test func `what a check has found damaged is not given, and has no hash in its tile`()
    async throws
  {
    try await storeThumbnails()
    let hash = try #require(PictureInfo.sample.hash)
    for id in 1...3 as ClosedRange<Int64> {
      try await store.library.mark(.thumbnail(imageID: id), as: .damaged)
    }

    #expect(try await store.library.thumbnail(hash) == nil)
    #expect(try await store.library.tiles(ids: [1]).map(\.thumbnail) == [nil])
  }

  @Test func `an original is found by its hash while its file is whole`() async throws {
    let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2]
    try await store.storeOriginal(bytes, imageID: 2, from: "b")
    let stored = try #require(try await store.library.original(imageID: 2))
    let hash = try #require(SHA256Digest(hexadecimal: stored.sha256))

    #expect(try await store.library.original(hash)?.path == stored.path)
    #expect(try await store.library.tiles(ids: [2]).map(\.isOriginalStored) == [true])
    try Data([1]).write(to: URL(filePath: stored.path))
    #expect(try await store.library.original(hash) == nil)
    try FileManager.default.removeItem(atPath: stored.path)
    #expect(try await store.library.original(hash) == nil)
  }

  @Test(.only(.sqlite, "query plans"), arguments: ImageQuery.Order.allCases, [nil, 1] as [Int64?])
  func `a page behind a position is ranges of an index, without sorting`(
    order: ImageQuery.Order,
    feedID: Int64?
  ) async throws {
    if [.random, .taken].contains(order) { return }
    let query = ImageQuery(order: order, feedID: feedID, limit: 50)
    let position = try #require(try await store.library.cursor(behind: 2, in: order))

    for part in ListingQuery.parts(behind: position, of: query) {
      let plan = try plan(of: ListingQuery(query, part: part, .sqlite))
      let isSearch = plan.contains { $0.hasPrefix("SEARCH image USING") && $0.contains("INDEX") }
      // The indexes of hidden and retired images are usually empty.
      let isSlow = plan.contains { step in
        step.contains("TEMP B-TREE")
          || step.hasPrefix("SCAN image") && !step.contains("image_hidden")
            && !step.contains("image_retired")
      }
      #expect(isSearch && !isSlow, "\(plan)")
    }
  }

  @Test(.only(.sqlite, "query plans"))
  func `thumbnails and tiles are looked up, never searched for`() throws {
    for sql in [
      TileQueries.thumbnailSQL, TileQueries.tileSQL(.sqlite), TileQueries.pictureSQL(.sqlite),
    ] {
      let plan = try plan(of: sql)
      #expect(!plan.contains { $0.hasPrefix("SCAN") && !$0.contains("json_each") }, "\(plan)")
    }
    #expect(
      try plan(of: TileQueries.thumbnailSQL)[0]
        == "SEARCH image USING INDEX image_thumbnail_sha256 (thumbnail_sha256=?)"
    )
    #expect(
      try plan(of: TileQueries.uncolouredSQL)[0]
        == "SCAN image USING INDEX image_colours_wanted"
    )
    #expect(
      try plan(of: TileQueries.colouringSQL)[0]
        == "SEARCH image USING INDEX image_thumbnail_sha256 (thumbnail_sha256=?)"
    )
  }

  /// The long queries hold all their connections until the short query has its answer.
  @Test(.only(.sqlite, "a pool for short reads"))
  func `a short question does not wait for long ones`() async throws {
    try await storeThumbnails()
    let library = try store.sqlite.library
    let (started, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hash = try #require(PictureInfo.sample.hash)
    let found = try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...Limits.longReads + 2 {
        group.addTask {
          try await library.reading { db in
            _ = try FeedQueries.followed(db)
            started.signal()
            gate.wait()
          }
        }
      }
      for _ in 1...Limits.longReads { await Self.wait(for: started) }
      let found = try await library.thumbnail(hash)
      for _ in 1...Limits.longReads + 2 { gate.signal() }
      try await group.waitForAll()
      return found
    }

    #expect(found?.bytes == [1, 2, 3])
  }

  private static func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { waiting in
      DispatchQueue.global().async {
        semaphore.wait()
        waiting.resume()
      }
    }
  }

  private func plan(of listing: ListingQuery) throws -> [String] {
    try plan(of: listing.sql)
  }

  private func plan(of sql: String) throws -> [String] {
    try store.sqlite.connection().plan(of: sql)
  }
}
