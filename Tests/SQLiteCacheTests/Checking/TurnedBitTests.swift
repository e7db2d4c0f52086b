import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Single bits that flip on a disk, some in each page of a small library.
///
/// The library must not delete a file that a row names, add an image twice, or show an original in another's place. It
/// must report what SQLite finds.
struct TurnedBitTests {
  /// The number of bits to flip in each page, one at a time; more bits take proportionally longer.
  private static let bitsPerPage =
    ProcessInfo.processInfo.environment["GALLERY_TURNED_BITS"].flatMap { Int($0) } ?? 1

  private let store: TemporaryLibrary
  /// The file's content when no connection is open.
  private let content: [UInt8]
  private let images: Int64
  private let originals: Set<String>

  init() async throws {
    store = try TemporaryLibrary()
    try await Self.sync(store)
    for id in Int64(1)...6 {
      try await store.storeOriginal([1, 2, UInt8(id)], imageID: id, from: "\(id)")
    }
    try await store.library.store(
      PictureBatch(
        new: (Int64(1)...6).map { id in
          .sample(
            WantedPicture(
              imageID: id,
              address: .picture("t\(id)"),
              rank: WantedPicture.Rank(date: 0, position: 0),
              since: .first
            )
          )
        }
      ),
      .thumbnail
    )
    try await store.library.flush()
    images = try #require(try store.numbers("SELECT count(*) FROM image").first)
    content = try [UInt8](Data(contentsOf: URL(filePath: store.path + "/gallery.sqlite")))
    originals = try Self.originals(below: store.path)
  }

  /// Syncs a feed whose entries have ids, and a feed whose images have only addresses.
  private static func sync(_ store: TemporaryLibrary) async throws {
    let named = (1...24).map { number in
      FeedEntry.sample(
        "\(number)",
        id: "entry \(number)",
        title: "Title \(number)",
        thumbnail: number <= 8 ? "t\(number)" : nil,
        published: .first
      )
    }
    try await store.sync(named)
    let unnamed = (1...12).map { FeedEntry.sample("x\($0)", title: "Other \($0)") }
    try await store.sync(unnamed, to: .otherFeed)
  }

  private static func originals(below path: String) throws -> Set<String> {
    Set(
      try FileManager.default.subpathsOfDirectory(atPath: path)
        .filter { $0.hasPrefix("originals/") && $0.hasSuffix(".png") }
    )
  }

  /// Positions of bits in a page, spread over its bytes that are not zero.
  private func bits(inPage page: Int, of size: Int) -> [(byte: Int, bit: UInt8)] {
    let used = (page * size..<(page + 1) * size).filter { content[$0] != 0 }
    if used.isEmpty { return [] }
    return (0..<Self.bitsPerPage).map { number in
      let seed = (page * Self.bitsPerPage + number + 1) * 2_654_435_761
      return (used[(seed >> 8) % used.count], UInt8(seed >> 4 & 7))
    }
  }

  @Test func `lose no file, double no image, and are told where SQLite sees them`() async throws {
    let size = Limits.pageBytes
    var seen = 0
    for page in 0..<content.count / size {
      for (byte, bit) in bits(inPage: page, of: size) {
        var turned = content
        turned[byte] ^= 1 << bit
        let copy = try TemporaryLibrary()
        try FileManager.default.copyItem(atPath: store.path, toPath: copy.path)
        try Data(turned).write(to: URL(filePath: copy.path + "/gallery.sqlite"))
        for log in ["-wal", "-shm"] { unlink(copy.path + "/gallery.sqlite" + log) }
        if try await check(copy, "page \(page + 1), byte \(byte % size), bit \(bit)") { seen += 1 }
      }
    }
    #expect(seen > 0)
  }

  /// Returns whether a check found the damage.
  private func check(_ copy: TemporaryLibrary, _ place: String) async throws -> Bool {
    let isSoundToSQLite = integrity(of: copy) == ["ok"]
    let faults = try? await copy.library.databaseFaults()
    for id in Int64(1)...6 {
      guard let original = try? await copy.library.original(imageID: id), original.isRight else {
        continue
      }
      let shown = try [UInt8](Data(contentsOf: URL(filePath: original.path)))
      #expect(shown == [1, 2, UInt8(id)], "shown of \(id): \(place), \(faults ?? ["?"])")
    }
    #expect(isSoundToSQLite || faults != [], "called sound: \(place)")
    _ = try? await copy.library.clean(.now)
    #expect(try Self.originals(below: copy.path) == originals, "lost: \(place), \(faults ?? ["?"])")
    try? await Self.sync(copy)
    let count = try? copy.numbers("SELECT count(*) FROM image NOT INDEXED").first
    #expect(count ?? 0 <= images, "doubled: \(place), \(faults ?? ["?"])")
    _ = try? await copy.library.repairDatabase()
    try? await Self.sync(copy)
    let repaired = try? copy.numbers("SELECT count(*) FROM image NOT INDEXED").first
    #expect(repaired ?? 0 <= images, "doubled after a repair: \(place), \(faults ?? ["?"])")
    _ = try? await copy.library.clean(CleaningPlan())
    let kept = try FileManager.default.subpathsOfDirectory(atPath: copy.path)
      .filter { $0.hasSuffix(".png") }
    #expect(kept.count == originals.count, "lost after a repair: \(place), \(faults ?? ["?"])")
    return faults != []
  }

  private func integrity(of copy: TemporaryLibrary) -> [String]? {
    try? copy.connection().column("PRAGMA integrity_check")
  }
}
