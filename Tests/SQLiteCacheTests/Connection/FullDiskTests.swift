import CSQLite
import Foundation
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache
@testable import Store

/// A library that may not grow (PRAGMA max_page_count), which SQLite reports as a full disk.
struct FullDiskTests {
  private let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  private func allow(pages: Int) throws {
    _ = try store.library.write { db in try db.run("PRAGMA max_page_count = \(pages)") }
  }

  private func reason(_ body: () async throws -> Void) async -> StoreError.Reason? {
    do { try await body() } catch { return (error as? StoreError)?.reason }
    return nil
  }

  private func images(_ count: Int) -> [FeedEntry] {
    (0..<count).map { .sample("\($0)", title: "Title \($0)", thumbnail: "\($0)t") }
  }

  @Test func `keeps whole batches of a document, and the next sync the rest`() async throws {
    try await store.sync(images(10))
    let before = try await store.listing()
    try allow(pages: Int(try store.numbers("PRAGMA page_count")[0]) + 40)
    let writer = store.library.writer(forFeedAt: .feed, now: .second)

    #expect(
      await reason { for image in images(3_000) { try await writer.append([image]) } } == .full
    )
    #expect(await reason { _ = try await writer.breakOff(problem: "full") } == nil)
    let half = try await store.listing()
    try allow(pages: 1 << 30)
    try await store.sync(images(3_000))

    #expect(half.count > 10 && half.count < 3_000)
    #expect(Array(half.prefix(10)) == before)
    #expect(try await store.library.databaseFaults() == [])
    await #expect(Array(try store.listing().prefix(half.count)) == half)
    #expect(try await store.listing().count == 3_000)
  }

  @Test func `stores a batch of thumbnails as a whole or not at all`() async throws {
    try await store.sync(images(400))
    let orders = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      .missing,
      after: nil,
      limit: 400
    )
    let batch = PictureBatch(new: orders.map { .sample($0) })
    try allow(pages: Int(try store.numbers("PRAGMA page_count")[0]) + 2)

    #expect(await reason { try await store.library.store(batch, .thumbnail) } == .full)
    #expect(try store.numbers("SELECT count(*) FROM thumbnail") == [0])
    #expect(try store.numbers("SELECT count(*) FROM image WHERE thumbnail_state = 2") == [400])
    try allow(pages: 1 << 30)
    try await store.library.store(batch, .thumbnail)

    #expect(try store.numbers("SELECT count(*) FROM thumbnail") == [400])
    #expect(try await store.library.databaseFaults() == [])
  }

  @Test func `gives an original no row that there is no room for, and no file a wrong one`()
    async throws
  {
    try await store.sync(images(1))
    try allow(pages: 1)
    // Simulates a disk that filled up while the original arrived, so that no page is free for its row.
    _ = try store.library.write { db in
      try db.run(
        "CREATE TEMP TRIGGER full BEFORE INSERT ON original BEGIN SELECT raise(FAIL, 'full'); END"
      )
    }

    await #expect(throws: StoreError.self) {
      try await store.storeOriginal([1, 2, 3], imageID: 1, from: "0")
    }
    #expect(try await store.library.original(imageID: 1) == nil)
    _ = try store.library.write { db in try db.run("DROP TRIGGER full") }
    try allow(pages: 1 << 30)
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "0")

    #expect(try await store.library.original(imageID: 1)?.info.bytes == 3)
    #expect(try await store.library.strayFiles() == [])
  }

  @Test(arguments: [
    // Of SQLITE_IOERR: SHMSIZE, WRITE, FSYNC and READ.
    (SQLITE_FULL, StoreError.Reason.full), (SQLITE_IOERR | 19 << 8, .full),
    (SQLITE_IOERR | 3 << 8, .readOnly), (SQLITE_IOERR | 4 << 8, .readOnly),
    (SQLITE_IOERR | 1 << 8, .other),
    // SQLITE_CORRUPT_INDEX and SQLITE_BUSY_SNAPSHOT.
    (SQLITE_CORRUPT | 3 << 8, .unreadable), (SQLITE_BUSY | 2 << 8, .busy),
    (SQLITE_CANTOPEN, .other), (SQLITE_ERROR, .unreadable),
  ])
  func `knows what ends all writing`(_ code: Int32, _ reason: StoreError.Reason) {
    let error = SQLiteError(code, "no", "")

    #expect(StoreError(error, path: "/p").reason == reason)
  }
}
