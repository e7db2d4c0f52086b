import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

struct PackTests {
  private let store: TemporaryLibrary

  init() async throws {
    store = try TemporaryLibrary()
    try await store.sync((1...4).map { .sample("\($0)", id: "\($0)", thumbnail: "t\($0)") })
  }

  private var pack: String { store.path + "/thumbnails/1.pack" }

  private func content(of path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// Stores a thumbnail of an image.
  private func put(
    _ bytes: [UInt8],
    imageID: Int64,
    into library: SQLiteLibrary? = nil
  ) async throws {
    let wanted = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 10)
    let order = try #require(wanted.first { $0.imageID == imageID })
    let batch = PictureBatch(new: [.sample(order, bytes: bytes)])
    try await (library ?? store.library).store(batch, .thumbnail)
  }

  private func rewrite(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try content(of: path)
    change(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test func `thumbnails lie one behind the other in a file of their own`() async throws {
    try await put([1, 2, 3], imageID: 1)
    try await put([4, 5], imageID: 2)

    #expect(try content(of: pack) == [1, 2, 3, 4, 5])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    #expect(try await store.library.thumbnailBytes(imageID: 2) == [4, 5])
  }

  @Test func `what no row names yet is cut off by the next who appends`() async throws {
    try await put([1, 2, 3], imageID: 1)
    let other = SQLiteLibrary(folder: store.path)
    store.library.openPack.withLock { $0 = nil }
    try rewrite(pack) { $0 += [7, 7, 7, 7, 7, 7, 7] }

    try await put([4, 5], imageID: 2, into: other)

    #expect(try content(of: pack) == [1, 2, 3, 4, 5])
    #expect(try await other.thumbnailBytes(imageID: 2) == [4, 5])
  }

  @Test func `a transaction that fails leaves nothing that is taken for a picture`() async throws {
    try await put([1, 2, 3], imageID: 1)
    let failing = SQLiteLibrary(folder: store.path)
    store.library.openPack.withLock { $0 = nil }
    _ = try failing.write { db in
      try db.run(
        """
        CREATE TEMP TRIGGER failing BEFORE INSERT ON main.thumbnail
          BEGIN SELECT raise(ABORT, 'no'); END
        """
      )
    }
    await #expect(throws: StoreError.self) {
      try await put([9, 9, 9, 9], imageID: 2, into: failing)
    }
    let half = try content(of: pack)
    _ = try failing.write { db in try db.run("DROP TRIGGER failing") }
    try await put([4, 5], imageID: 2, into: failing)

    #expect(half == [1, 2, 3, 9, 9, 9, 9])
    #expect(try content(of: pack) == [1, 2, 3, 4, 5])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    #expect(try await store.library.thumbnailBytes(imageID: 2) == [4, 5])
  }

  @Test func `two who store at once have packs of their own, and the next takes up the last one`()
    async
    throws
  {
    var other: SQLiteLibrary? = SQLiteLibrary(folder: store.path)
    try await put([1], imageID: 1)
    try await put([2], imageID: 2, into: other)
    try await put([3], imageID: 3)
    let packs = try store.numbers("SELECT pack_id FROM thumbnail ORDER BY image_id")
    other = nil
    try await put([4], imageID: 4, into: SQLiteLibrary(folder: store.path))

    #expect(packs == [1, 2, 1])
    #expect(try content(of: pack) == [1, 3])
    #expect(try content(of: store.path + "/thumbnails/2.pack") == [2, 4])
    var stored: [[UInt8]?] = []
    for id in 1...4 { stored.append(try await store.library.thumbnailBytes(imageID: Int64(id))) }
    #expect(stored == [[1], [2], [3], [4]])
  }

  @Test func `a pack that has lost its end is not appended to`() async throws {
    try await put([1, 2, 3], imageID: 1)
    store.library.openPack.withLock { $0 = nil }
    try rewrite(pack) { $0.removeLast() }

    try await put([4, 5], imageID: 2)

    #expect(try await store.library.thumbnailBytes(imageID: 1) == nil)
    #expect(try await store.library.thumbnailBytes(imageID: 2) == [4, 5])
    #expect(try content(of: pack) == [1, 2])
  }

  @Test func `whoever has lost the file it appends to says so, and stores nothing`() async throws {
    try await put([1, 2, 3], imageID: 1)
    try FileManager.default.removeItem(atPath: pack)

    await #expect(throws: StoreError.self) { try await put([4, 5], imageID: 2) }

    #expect(try await store.library.thumbnailBytes(imageID: 2) == nil)
    try await put([4, 5], imageID: 2)
    #expect(try await store.library.thumbnailBytes(imageID: 2) == [4, 5])
  }

  @Test func `two who append to one pack after all do not both store`() async throws {
    try await put([1, 2, 3], imageID: 1)
    try rewrite(pack) { $0 += [7, 7] }
    try store.execute("UPDATE pack SET bytes = 5, row_checksum = NULL")

    await #expect(throws: StoreError.self) { try await put([4, 5], imageID: 2) }

    #expect(try await store.library.thumbnailBytes(imageID: 2) == nil)
    try await put([4, 5], imageID: 2)
    #expect(try await store.library.thumbnailBytes(imageID: 2) == [4, 5])
    #expect(try store.numbers("SELECT offset FROM thumbnail ORDER BY image_id") == [0, 5])
  }

  @Test(arguments: [0, 1, 2])
  func `a changed byte is noticed`(index: Int) async throws {
    try await put([1, 2, 3], imageID: 1)
    try await put([4, 5], imageID: 2)
    try rewrite(pack) { $0[index] ^= 16 }

    #expect(try await store.library.thumbnailBytes(imageID: 1) == nil)
    #expect(try await store.library.thumbnailBytes(imageID: 2) == [4, 5])
    let stored = try await store.library.storedThumbnails(after: 0, limit: 9)
    #expect(stored.map(\.isIntact) == [false, true])
    #expect(stored.map(\.bytes) == [[], [4, 5]])
  }

  @Test(arguments: [Int64.min, -1, 2, 1 << 40, Int64.max])
  func `a row that names no place in the file has no picture`(number: Int64) async throws {
    try await put([1, 2, 3], imageID: 1)
    for column in ["offset", "bytes", "pack_id"] {
      try store.connection().run("UPDATE thumbnail SET \(column) = $1", number)
      #expect(try await store.library.thumbnailBytes(imageID: 1) == nil)
    }
  }

  @Test func `a file that no row knows is stray, and cleaned away`() async throws {
    try await put([1, 2, 3], imageID: 1)
    let stray = store.path + "/thumbnails/9.pack"
    let foreign = store.path + "/thumbnails/mine.txt"
    for path in [stray, foreign] { try Data([1]).write(to: URL(filePath: path)) }

    #expect(try await store.library.strayFiles().map(\.path) == [stray])
    #expect(try await store.library.clean(.now).files == 1)

    #expect(!FileManager.default.fileExists(atPath: stray))
    #expect(FileManager.default.fileExists(atPath: foreign))
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
  }
}
