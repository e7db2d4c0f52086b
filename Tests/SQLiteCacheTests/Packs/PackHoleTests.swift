import CLinux
import Foundation
import Glibc
import LibraryFiles
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

struct PackHoleTests {
  private let store: TemporaryLibrary

  init() async throws {
    store = try TemporaryLibrary()
    try await store.sync((1...9).map { .sample("\($0)", id: "\($0)", thumbnail: "t\($0)") })
  }

  private func put(_ bytes: [Int64: [UInt8]]) async throws {
    let wanted = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 10)
    let thumbnails = bytes.sorted { $0.key < $1.key }.compactMap { id, bytes in
      wanted.first { $0.imageID == id }.map { FetchedThumbnail.sample($0, bytes: bytes) }
    }
    try await store.library.store(PictureBatch(new: thumbnails), .thumbnail)
  }

  private func picture(_ byte: UInt8, count: Int) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
  }

  /// The holes: beginning, end, and whether the file system has the room back.
  private func holes() throws -> [[Int64]] {
    try store.connection().rows(
      "SELECT offset, offset + bytes, is_given_back FROM pack_hole ORDER BY offset"
    ) { row in try (0...2).map { column in try row.value(column) } }
  }

  private var room: Int {
    var status = stat()
    return stat(store.path + "/thumbnails/1.pack", &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  /// Whether files in the library's folder can have holes.
  private func canPunch() throws -> Bool {
    let path = store.path + "/probe"
    try Data(count: 1 << 16).write(to: URL(filePath: path))
    let file = open(path, O_RDWR)
    defer { close(file) }
    return clinux_punch_hole(file, 0, 4_096) == 0
  }

  @Test func `the room of what was replaced is given back once that is on the disk`() async throws {
    let count = 100_000
    try await put([
      1: picture(1, count: count), 2: picture(2, count: count), 3: picture(3, count: count),
    ])
    try await store.library.flush()
    try await put([2: picture(9, count: 10)])
    let before = try holes()
    let full = room
    try await store.library.flush()

    #expect(before == [[100_000, 200_000, 0]])
    #expect(try holes() == [[100_000, 200_000, 1]])
    if try canPunch() { #expect(room <= full - 80_000) }
    #expect(try await store.library.thumbnailBytes(imageID: 1) == picture(1, count: count))
    #expect(try await store.library.thumbnailBytes(imageID: 2) == picture(9, count: 10))
    #expect(try await store.library.thumbnailBytes(imageID: 3) == picture(3, count: count))
  }

  @Test func `holes beside one another become one`() async throws {
    try await put([1: [1, 1], 2: [2, 2], 3: [3, 3], 4: [4, 4], 5: [5, 5], 6: [6, 6]])
    for id in [2, 4] as [Int64] {
      try await put([id: [0]])
      try await store.library.flush()
    }
    let apart = try holes()
    try await put([3: [0]])
    try await store.library.flush()
    let joined = try holes()
    try await put([5: [0], 6: [0]])
    try await store.library.flush()

    #expect(apart == [[2, 4, 1], [6, 8, 1]])
    #expect(joined == [[2, 8, 1]])
    #expect(try holes() == [[2, 12, 1]])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 1])
    #expect(try await store.library.thumbnailBytes(imageID: 6) == [0])
  }

  @Test func `small thumbnails that are replaced all the time do not make the file grow`()
    async throws
  {
    guard try canPunch() else { return }
    for round in 0..<60 as Range<UInt8> {
      try await put([1: picture(round, count: 3_000), 2: picture(round, count: 3_001)])
      try await store.library.flush()
    }

    #expect(room < 40_000)
    #expect(try await store.library.thumbnailBytes(imageID: 1) == picture(59, count: 3_000))
    #expect(try await store.library.thumbnailBytes(imageID: 2) == picture(59, count: 3_001))
  }

  @Test func `what has come under an address that is wanted no more leaves a hole`() async throws {
    let before = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 1)
    let id = try #require(before.first?.imageID)
    try await store.sync([.sample("\(id)", id: "\(id)", thumbnail: "new")])
    try await store.library.store(PictureBatch(new: before.map { .sample($0) }), .thumbnail)
    try await store.library.flush()

    #expect(try holes() == [[0, 3, 1]])
  }

  @Test func `a purged feed gives back what it had, and the others keep theirs`() async throws {
    try await put([1: picture(1, count: 70_000), 2: picture(2, count: 70_000)])
    try await store.sync([.sample("x", id: "x", thumbnail: "tx")], to: .otherFeed)
    let orders = try await store.library.wanted(.thumbnail, feedID: 2, .all, after: nil, limit: 1)
    try await store.library.store(
      PictureBatch(new: orders.map { .sample($0, bytes: [8, 8]) }),
      .thumbnail
    )
    _ = try await store.library.removeFeed(id: 1, purging: true)

    #expect(try holes() == [[0, 140_000, 1]])
    #expect(try await store.library.thumbnailBytes(imageID: orders[0].imageID) == [8, 8])
    if try canPunch() { #expect(room < 20_000) }
  }

  @Test func `a full pack that nothing is left of goes`() async throws {
    let large = picture(7, count: Limits.packBytes / 8)
    for id in 1...8 as ClosedRange<Int64> { try await put([id: large]) }
    try await put([9: [9]])
    try await store.library.flush()
    let packs = try FileManager.default.contentsOfDirectory(atPath: store.path + "/thumbnails")
    for id in 1...8 as ClosedRange<Int64> { try await put([id: [UInt8(id)]]) }
    try await store.library.flush()

    #expect(packs.sorted() == ["1.pack", "2.pack"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.path + "/thumbnails") == ["2.pack"]
    )
    #expect(try store.numbers("SELECT id FROM pack") == [2])
    #expect(try holes() == [])
    #expect(try await store.library.thumbnailBytes(imageID: 8) == [8])
    #expect(try await store.library.thumbnailBytes(imageID: 9) == [9])
  }

  @Test func `a reader of an earlier state never gets the bytes of a hole`() async throws {
    let count = 100_000
    try await put([1: picture(1, count: count)])
    try await store.library.flush()
    let reader = SQLiteLibrary(folder: store.path)
    let location = try reader.read { db in try ThumbnailQueries.location(imageID: 1, db) }
    try await put([1: picture(2, count: count)])
    try await store.library.flush()
    let early = try location.flatMap { try PackReader.bytes(at: $0, in: reader.folder) }

    // If a file cannot have holes, the old bytes remain.
    #expect(early == (try canPunch() ? nil : picture(1, count: count)))
    #expect(try await reader.thumbnailBytes(imageID: 1) == picture(2, count: count))
  }
}
