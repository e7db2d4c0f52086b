import FoundationEssentials
import LibraryFiles
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import PostgresStore

/// Thumbnails of a library in PostgreSQL, in packs in an object store.
@Suite(.inTurns)
struct ObjectPackTests {
  private let database: TemporaryDatabase
  private let objects = FakeObjects()
  private var library: PostgresLibrary { database.library }

  /// Three images, the first two with thumbnails.
  init() async throws {
    database = try TemporaryDatabase()
    let entries: [FeedEntry] = ["a", "b", "c"].map { .sample($0, id: $0, thumbnail: "\($0)t") }
    let writer = FeedWriter(database.library, feedAt: .feed, reach: .publicOnly, now: .first)
    try await writer.append(entries)
    _ = try await writer.finish(
      FeedDocument(format: .rss, title: "Moon"),
      answer: FeedAnswer(),
      isWhole: true
    )
    try await store([1: [1, 2, 3], 2: [4, 5]])
    usePacks(of: library)
  }

  /// Makes a library use packs, with a separate cache.
  private func usePacks(of library: PostgresLibrary, least: Int = 1) {
    let packs = ThumbnailPacks(objects, PackCache(library.folder), leastBytes: least)
    library.packs.withLock { $0 = packs }
  }

  private func store(_ thumbnails: [Int64: [UInt8]]) async throws {
    let all = PictureFilter(now: .first, all: true)
    let wanted = try await library.wanted(.thumbnail, feedID: 1, all, after: nil, limit: 9)
    let new = wanted.compactMap { wanted in
      thumbnails[wanted.imageID].map { FetchedThumbnail.sample(wanted, bytes: $0) }
    }
    try await library.store(PictureBatch(new: new), .thumbnail)
  }

  private func hash(_ bytes: [UInt8]) throws -> SHA256Digest {
    try SHA256.digest(of: bytes, path: "")
  }

  private var packs: [SHA256Digest: [UInt8]] { objects.state.withLock { $0.packs } }

  private func forget(_ cache: PostgresLibrary) throws {
    for name in try FileSystem.names(inFolder: cache.folder.packs) {
      _ = try FileSystem.remove(cache.folder.packs + "/" + name)
    }
  }

  @Test func `they are read as before, also where no part of the pack is`() async throws {
    let packed = try await library.packThumbnails()

    #expect(packed.packs == 1)
    #expect(packed.thumbnails == 2)
    #expect(packs.count == 1)
    for (name, bytes) in packs { #expect(try name == hash(bytes)) }
    try forget(library)
    #expect(try await library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    let hashes = [try hash([4, 5]), try hash([1, 2, 3])]
    #expect(try await library.thumbnails(hashes).map(\.bytes) == [[4, 5], [1, 2, 3]])
    let stored = try await library.storedThumbnails(after: 0, limit: 9)
    #expect(stored.map(\.bytes) == [[1, 2, 3], [4, 5]])
    #expect(stored.map(\.isIntact) == [true, true])
    // The first read also fetches the bytes of the others, but a check reads from the store itself.
    let reads = objects.state.withLock { $0.asked.filter { $0.hasPrefix("read") } }
    #expect(reads.count == 2)
    #expect(try await library.packThumbnails() == PackedThumbnails())
    let figures = try await library.figures()
    #expect(figures.packs == 1)
    #expect(figures.packBytes == packed.bytes)
  }

  @Test func `a copy of the library has them`() async throws {
    _ = try await library.packThumbnails()
    try forget(library)
    let found = Locked<[Int64: [UInt8]]>([:])

    try await library.withState { (state) throws(StoreError) in
      let thumbnails = try state.thumbnails(of: [1, 2, 3])
      found.withLock { $0 = thumbnails }
    }

    #expect(found.withLock { $0 } == [1: [1, 2, 3], 2: [4, 5]])
  }

  @Test func `few wait for more`() async throws {
    usePacks(of: library, least: 6)

    #expect(try await library.packThumbnails() == PackedThumbnails())
    try await store([3: [6]])
    #expect(try await library.packThumbnails().thumbnails == 3)
  }

  @Test func `a store that refuses changes nothing`() async throws {
    let refusal = StoreError(reason: .objectsRefused(status: 503), path: "s3", message: "SlowDown")
    objects.state.withLock { $0.failure = refusal }

    await #expect(throws: refusal) { try await library.packThumbnails() }

    objects.state.withLock { $0.failure = nil }
    #expect(try await library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    #expect(try FileSystem.names(inFolder: library.folder.packs) == [])
    #expect(try await library.packThumbnails().thumbnails == 2)
  }

  @Test func `nothing is put into another store than that of the library`() async throws {
    try await library.notePut(hash([1]), in: "s3://elsewhere")

    let error = await #expect(throws: StoreError.self) { try await library.packThumbnails() }

    #expect(error?.reason == .otherObjects)
    #expect(packs.isEmpty)
    #expect(try await library.thumbnailBytes(imageID: 1) == [1, 2, 3])
  }

  @Test func `while one program packs, another leaves it to that`() async throws {
    let other = database.reopened()
    usePacks(of: other)
    let isHeld = try await other.locking { db in
      let sql = "SELECT pg_try_advisory_lock(1885430643, hashtext(current_schema()))"
      return try db.rows(sql).first?.value(0) as Bool?
    }

    #expect(isHeld == true)
    #expect(try await library.packThumbnails() == PackedThumbnails())
    #expect(try await other.packThumbnails().thumbnails == 2)
  }

  @Test func `a program without the object store says what it lacks`() async throws {
    _ = try await library.packThumbnails()
    let other = database.reopened()

    let error = await #expect(throws: StoreError.self) {
      try await other.thumbnailBytes(imageID: 1)
    }

    #expect(error?.message.contains("--objects") == true)
    #expect(try await other.images(ids: [1]).count == 1)
  }

  @Test func `what the store has lost, or another has changed, is not a thumbnail`() async throws {
    _ = try await library.packThumbnails()
    try forget(library)
    objects.state.withLock { state in
      state.packs = state.packs.mapValues { $0.dropLast() + [0] }
    }

    #expect(try await library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    #expect(try await library.thumbnailBytes(imageID: 2) == nil)
    let stored = try await library.storedThumbnails(after: 0, limit: 9)
    #expect(stored.map(\.isIntact) == [true, false])

    try forget(library)
    objects.state.withLock { $0.packs = [:] }
    #expect(try await library.thumbnailBytes(imageID: 1) == nil)
    let lost = try hash([1, 2, 3])
    #expect(try await library.thumbnails([lost]).isEmpty)
  }

  @Test func `what the store has lost is found, also where parts of it are here`() async throws {
    _ = try await library.packThumbnails()
    objects.state.withLock { $0.packs = [:] }

    let stored = try await library.storedThumbnails(after: 0, limit: 9)

    #expect(stored.map(\.isIntact) == [false, false])
    #expect(try await library.thumbnailBytes(imageID: 1) == [1, 2, 3])
  }

  @Test func `what was damaged before is not packed`() async throws {
    _ = try await library.writing { db in
      try db.run("UPDATE thumbnail SET bytes = '\\x01' WHERE image_id = 1")
    }

    #expect(try await library.packThumbnails().thumbnails == 1)
    let stored = try await library.storedThumbnails(after: 0, limit: 9)
    #expect(stored.map(\.isIntact) == [false, true])
    #expect(try await library.packThumbnails() == PackedThumbnails())
  }

  @Test func `a pack that is little needed is given up, and can still be read for a day`()
    async throws
  {
    _ = try await library.packThumbnails()
    let first = try #require(packs.keys.first)
    try await store([1: [7, 8, 9]])

    try await library.compactPacks()

    #expect(try await library.thumbnailBytes(imageID: 1) == [7, 8, 9])
    #expect(try await library.thumbnailBytes(imageID: 2) == [4, 5])
    #expect(try await library.unknown([first], .pack) == [])
    _ = try await library.writing { db in
      try db.run("UPDATE pack SET emptied_at = emptied_at - 86401")
    }
    try await library.compactPacks()
    #expect(try await library.unknown([first], .pack) == [first])
    #expect(try await library.packThumbnails().thumbnails == 2)
    #expect(packs.count == 2)
  }

  @Test func `a pack that is needed stays`() async throws {
    try await store([3: [6]])
    _ = try await library.packThumbnails()
    // In such a small pack, the random bytes at the beginning matter, too.
    _ = try await library.writing { db in try db.run("UPDATE pack SET bytes = bytes - 16") }
    try await store([3: [9]])

    try await library.compactPacks()

    let left = try await library.reading { db in
      let sql = "SELECT count(*) FROM pack WHERE emptied_at IS NOT NULL"
      return try db.rows(sql).first?.value(0) as Int64?
    }
    #expect(left == 0)
  }

  @Test func `the cache keeps to its bound, and has no part that was not written`() async throws {
    let folder = library.folder
    let cache = PackCache(folder, bound: 64 << 10)
    let (one, other) = (try hash([1]), try hash([2]))
    let part = [UInt8](repeating: 7, count: 48 << 10)

    cache.keep(part, of: one, at: 4)
    #expect(cache.bytes(of: one, in: 4..<8) == [7, 7, 7, 7])
    #expect(cache.bytes(of: one, in: 0..<4) == [0, 0, 0, 0])
    #expect(cache.bytes(of: one, in: part.count..<part.count + 5) == nil)
    PackCache(folder, bound: 64 << 10).keep(part, of: other, at: 0)
    PackCache(folder, bound: 64 << 10).keep([1], of: other, at: 0)

    #expect(cache.bytes(of: other, in: 0..<2) == [1, 7])
    #expect(cache.bytes(of: one, in: 4..<8) == nil)
  }
}
