import CLinux
import Foundation
import GRDB
import Glibc
import Models
import Testing
import Workers

@testable import SQLiteCache

struct PackHoleTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync((1...9).map { .sample("\($0)", id: "\($0)", thumbnail: "t\($0)") })
  }

  private func put(_ bytes: [Int64: [UInt8]]) throws {
    let wanted = try store.library.thumbnailOrders(feedID: 1, .all, after: nil, limit: 10)
    let thumbnails = bytes.sorted { $0.key < $1.key }.compactMap { id, bytes in
      wanted.first { $0.imageID == id }.map { FetchedThumbnail.sample($0, bytes: bytes) }
    }
    try store.library.store(ThumbnailBatch(new: thumbnails))
  }

  private func picture(_ byte: UInt8, count: Int) -> [UInt8] {
    [UInt8](repeating: byte, count: count)
  }

  /// The holes, each as where it begins and ends, and whether its room is given back.
  private func holes() throws -> [[Int64]] {
    try store.connection().read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT position, position + bytes, is_given_back FROM pack_hole ORDER BY position"
      ).map { row in [row[0], row[1], row[2]] }
    }
  }

  private var room: Int {
    var status = stat()
    return stat(store.path + "/thumbnails/1.pack", &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  /// Whether files in the library's place can have holes.
  private func canPunch() throws -> Bool {
    let path = store.path + "/probe"
    try Data(count: 1 << 16).write(to: URL(filePath: path))
    let file = open(path, O_RDWR)
    defer { close(file) }
    return clinux_punch_hole(file, 0, 4_096) == 0
  }

  @Test func `the room of what was replaced is given back once that is on the disk`() throws {
    let count = 100_000
    try put([1: picture(1, count: count), 2: picture(2, count: count), 3: picture(3, count: count)])
    try store.library.flush()
    try put([2: picture(9, count: 10)])
    let before = try holes()
    let full = room
    try store.library.flush()

    #expect(before == [[100_000, 200_000, 0]])
    #expect(try holes() == [[100_000, 200_000, 1]])
    if try canPunch() { #expect(room <= full - 80_000) }
    #expect(try store.library.thumbnailBytes(imageID: 1) == picture(1, count: count))
    #expect(try store.library.thumbnailBytes(imageID: 2) == picture(9, count: 10))
    #expect(try store.library.thumbnailBytes(imageID: 3) == picture(3, count: count))
  }

  @Test func `holes beside one another become one`() throws {
    try put([1: [1, 1], 2: [2, 2], 3: [3, 3], 4: [4, 4], 5: [5, 5], 6: [6, 6]])
    for id in [2, 4] as [Int64] {
      try put([id: [0]])
      try store.library.flush()
    }
    let apart = try holes()
    try put([3: [0]])
    try store.library.flush()
    let joined = try holes()
    try put([5: [0], 6: [0]])
    try store.library.flush()

    #expect(apart == [[2, 4, 1], [6, 8, 1]])
    #expect(joined == [[2, 8, 1]])
    #expect(try holes() == [[2, 12, 1]])
    #expect(try store.library.thumbnailBytes(imageID: 1) == [1, 1])
    #expect(try store.library.thumbnailBytes(imageID: 6) == [0])
  }

  @Test func `small thumbnails that are replaced all the time do not make the file grow`() throws {
    guard try canPunch() else { return }
    for round in 0..<60 as Range<UInt8> {
      try put([1: picture(round, count: 3_000), 2: picture(round, count: 3_001)])
      try store.library.flush()
    }

    #expect(room < 40_000)
    #expect(try store.library.thumbnailBytes(imageID: 1) == picture(59, count: 3_000))
    #expect(try store.library.thumbnailBytes(imageID: 2) == picture(59, count: 3_001))
  }

  @Test func `what has come under an address that is wanted no more leaves a hole`() throws {
    let before = try store.library.thumbnailOrders(feedID: 1, .all, after: nil, limit: 1)
    let id = try #require(before.first?.imageID)
    try store.sync([.sample("\(id)", id: "\(id)", thumbnail: "new")])
    try store.library.store(ThumbnailBatch(new: before.map { .sample($0) }))
    try store.library.flush()

    #expect(try holes() == [[0, 3, 1]])
  }

  @Test func `a purged feed gives back what it had, and the others keep theirs`() throws {
    try put([1: picture(1, count: 70_000), 2: picture(2, count: 70_000)])
    try store.sync([.sample("x", id: "x", thumbnail: "tx")], to: .otherFeed)
    let orders = try store.library.thumbnailOrders(feedID: 2, .all, after: nil, limit: 1)
    try store.library.store(ThumbnailBatch(new: orders.map { .sample($0, bytes: [8, 8]) }))
    _ = try store.library.removeFeed(id: 1, purging: true)

    #expect(try holes() == [[0, 140_000, 1]])
    #expect(try store.library.thumbnailBytes(imageID: orders[0].imageID) == [8, 8])
    if try canPunch() { #expect(room < 20_000) }
  }

  @Test func `a full pack that nothing is left of goes`() throws {
    let large = picture(7, count: Limits.packBytes / 8)
    for id in 1...8 as ClosedRange<Int64> { try put([id: large]) }
    try put([9: [9]])
    try store.library.flush()
    let packs = try FileManager.default.contentsOfDirectory(atPath: store.path + "/thumbnails")
    for id in 1...8 as ClosedRange<Int64> { try put([id: [UInt8(id)]]) }
    try store.library.flush()

    #expect(packs.sorted() == ["1.pack", "2.pack"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.path + "/thumbnails") == ["2.pack"]
    )
    #expect(try store.numbers("SELECT id FROM pack") == [2])
    #expect(try holes() == [])
    #expect(try store.library.thumbnailBytes(imageID: 8) == [8])
    #expect(try store.library.thumbnailBytes(imageID: 9) == [9])
  }

  @Test func `a reader of an earlier state never gets the bytes of a hole`() throws {
    let count = 100_000
    try put([1: picture(1, count: count)])
    try store.library.flush()
    let reader = SQLiteReader(folder: store.path)
    let (early, late) = try reader.read { db in
      let content = try ThumbnailQueries.content(imageID: 1, db)
      try put([1: picture(2, count: count)])
      try store.library.flush()
      return (try content.flatMap(reader.bytes), try reader.thumbnailBytes(imageID: 1))
    }

    // Where no room can be taken out of a file, what was there is there still.
    #expect(early == (try canPunch() ? nil : picture(1, count: count)))
    #expect(late == early)
    #expect(try reader.thumbnailBytes(imageID: 1) == picture(2, count: count))
  }
}
