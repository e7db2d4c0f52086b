import FoundationEssentials
import LibraryFiles
import Models
import Store
import Sync
import Testing
import Workers

@testable import PostgresStore

/// Originals of a library in PostgreSQL, within the bounds of one machine.
@Suite(.inTurns)
struct DatabaseBoundTests {
  private let database: TemporaryDatabase
  private var library: PostgresLibrary { database.library }

  /// Four images, on a machine that keeps 100 bytes.
  init() async throws {
    database = try TemporaryDatabase(bounds: StorageBounds(keep: 100), objects: "s3://photos")
    let writer = FeedWriter(database.library, feedAt: .feed, reach: .publicOnly, now: .first)
    try await writer.append(["a", "b", "c", "d"].map { .sample($0, id: $0) })
    _ = try await writer.finish(
      FeedDocument(format: .rss, title: "Moon"),
      answer: FeedAnswer(),
      isWhole: true
    )
  }

  /// Stores an original, and records that the object store has it.
  private func fetch(_ imageID: Int64, bytes: Int, isPut: Bool = true) async throws {
    let file = try await library.openOriginalFile(imageID: imageID)
    try await file.makeRoom(for: bytes, of: nil, purpose: .keeping)
    let name = ["a", "b", "c", "d"][Int(imageID) - 1]
    try await file.restart(OriginalVersion(address: .picture(name)))
    try await file.append([UInt8](repeating: UInt8(imageID), count: bytes))
    let info = PictureInfo(format: .png, bytes: bytes, width: 1, height: 1)
    let stored = try await file.commit(.sample(info, from: name, arrived: .second))
    // The test reads its files within one second, so it sets distinct times.
    library.room.noteLook(at: stored.path, now: .second + Double(imageID), unlessWithin: .min)
    guard isPut, let hash = SHA256Digest(hexadecimal: stored.sha256) else { return }
    try await library.notePut(hash, in: "s3://photos")
  }

  private func reason(_ body: () async throws -> Void) async -> StoreError.Reason? {
    do { try await body() } catch { return (error as? StoreError)?.reason }
    return nil
  }

  /// The images whose originals are on this disk.
  private func here() async throws -> [Int64] {
    var ids: [Int64] = []
    for id: Int64 in 1...4 {
      let path = try await library.original(imageID: id)?.path
      if path.flatMap(FileSystem.size) != nil { ids.append(id) }
    }
    return ids
  }

  @Test func `what was forgotten and is found again belongs to its images again`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    try await fetch(3, bytes: 41)
    for original in try await library.putOriginals(after: nil, limit: 9) {
      try await library.forgetPut(original.hash)
    }
    #expect(try await library.images(ids: [1]).first?.original == .missing)

    let lost = try await library.lostOriginals(after: nil, limit: 9)
    #expect(lost.map(\.imageIDs) == [[1]])
    #expect(lost.map(\.isAway) == [true])
    for original in lost { try await library.noteFound(original, in: "s3://photos") }

    #expect(try await library.putOriginal(imageID: 1)?.isAway == true)
    #expect(try await library.images(ids: [1]).first?.original == .stored)
    #expect(try await library.lostOriginals(after: nil, limit: 9) == [])
  }

  @Test func `without an object store, new ones wait and none gives way`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40, isPut: false) }

    #expect(await reason { try await fetch(3, bytes: 21) } == .bounded(bytes: 100))

    #expect(try await here() == [1, 2])
  }
}
