import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Originals in an object store, with or without a copy on the disk.
@Suite(.serialized, .onEachStore)
struct ObjectTests {
  private static let name = "s3://photos"
  private let store: TemporaryStore

  /// Three images, one per day, the newest first, in a library that keeps 100 bytes on the disk.
  init() async throws {
    store = try TemporaryStore(bounds: StorageBounds(keep: 100), objects: Self.name)
    let day = { (number: Double) in Date(timeIntervalSince1970: 86_400 * number) }
    try await store.sync([
      .sample("a", published: day(3)), .sample("b", published: day(2)),
      .sample("c", published: day(1)),
    ])
  }

  private var library: any TemporaryStore.Library { store.library }

  private func fetch(_ imageID: Int64, bytes: Int = 40) async throws {
    let file = try await library.openOriginalFile(imageID: imageID)
    try await file.makeRoom(for: bytes, of: nil, purpose: .keeping)
    let name = ["a", "b", "c"][Int(imageID) - 1]
    try await file.restart(OriginalVersion(address: .picture(name)))
    try await file.append([UInt8](repeating: UInt8(imageID), count: bytes))
    let info = PictureInfo(format: .png, bytes: bytes, width: 1, height: 1)
    let stored = try await file.commit(.sample(info, from: name, arrived: .second))
    // The files of a library in PostgreSQL are used in the order in which those in a folder are: oldest images first.
    let date = Date(timeIntervalSinceNow: 1e6 * Double(9 - imageID))
    await library.noteLook(atOriginal: stored.sha256, now: date)
  }

  private func put(_ imageID: Int64) async throws {
    let original = try #require(try await library.original(imageID: imageID))
    let hash = try #require(SHA256Digest(hexadecimal: original.sha256))
    try await library.notePut(hash, in: Self.name)
  }

  private func reason(_ body: () async throws -> Void) async -> StoreError.Reason? {
    do { try await body() } catch { return (error as? StoreError)?.reason }
    return nil
  }

  /// The places of each image's original: the disk, the object store.
  private func places() async throws -> [String] {
    var places: [String] = []
    for id: Int64 in 1...3 {
      let here = try await library.original(imageID: id) == nil ? "" : "here"
      let put = try await library.putOriginal(imageID: id)
      places.append(here + (put.map { $0.isAway ? " away" : " put" } ?? ""))
    }
    return places
  }

  @Test func `what waits is told until it is put`() async throws {
    try await fetch(1)
    try await fetch(2)

    let waiting = try await library.originalsToPut(after: 0, limit: 10)
    #expect(waiting.map(\.imageIDs) == [[1], [2]])
    #expect(waiting.map(\.bytes) == [40, 40])
    #expect(waiting.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    #expect(try await library.originalsToPut(after: waiting[0].id, limit: 10) == [waiting[1]])

    try await put(1)

    #expect(try await library.originalsToPut(after: 0, limit: 10) == [waiting[1]])
    #expect(try await library.putOriginals(after: nil, limit: 10).map(\.imageIDs) == [[1]])
    let figures = try await library.figures()
    #expect(figures.objects == 1)
    #expect(figures.objectBytes == 40)
    #expect(figures.waitingObjects == 1)
  }

  @Test func `a damaged original is not put`() async throws {
    try await fetch(1)
    try await library.mark(.original(path: "", imageIDs: [1]), as: .damaged)

    #expect(try await library.originalsToPut(after: 0, limit: 10) == [])
  }

  @Test func `only what is put gives way, and stays stored`() async throws {
    try await fetch(1)
    try await fetch(2)

    #expect(await reason { try await fetch(3) } == .bounded(bytes: 100))

    try await put(1)
    try await fetch(3)

    #expect(try await places() == [" away", "here", "here"])
    #expect(try await store.images().map(\.original) == [.stored, .stored, .stored])
    #expect(try await library.figures().originalBytes == 80)
    #expect(try await library.strayFiles() == [])
    #expect(try await library.databaseFaults() == [])
    let hash = try #require(try await library.putOriginals(after: nil, limit: 1).first?.hash)
    #expect(try await library.image(withAwayOriginal: hash) == 1)
    #expect(try await library.filedOriginals(after: 0, limit: 10).map(\.imageIDs) == [[2], [3]])
  }

  @Test func `it comes back with all that was known of it`() async throws {
    try await fetch(1)
    try await put(1)
    try await fetch(2, bytes: 90)
    #expect(try await places() == [" away", "here", ""])
    try await put(2)

    try await fetch(1)

    #expect(try await places() == ["here put", " away", ""])
    #expect(try await library.figures().originalBytes == 40)
  }

  @Test func `a look at what is away makes no room there`() async throws {
    try await fetch(1)
    try await put(1)
    try await fetch(2, bytes: 90)
    let away = try #require(try await library.putOriginal(imageID: 1))

    await library.noteLook(atOriginal: away.sha256, now: .second)

    #expect(try await library.storage(imageID: 1)?.originalUsed == nil)
  }

  @Test func `pinned originals stay on the disk`() async throws {
    try await fetch(1)
    try await put(1)
    _ = try await library.setPinned(true, imageIDs: [1])

    #expect(await reason { try await fetch(2, bytes: 90) } == .bounded(bytes: 100))
    #expect(try await places() == ["here put", "", ""])
  }

  @Test func `what the object store lost is wanted again, unless it is here`() async throws {
    try await fetch(1)
    try await fetch(2)
    for id: Int64 in [1, 2] { try await put(id) }
    try await fetch(3)
    #expect(try await places() == ["here put", " away", "here"])

    for original in try await library.putOriginals(after: nil, limit: 9) {
      try await library.forgetPut(original.hash)
    }

    #expect(try await places() == ["here", "", "here"])
    #expect(try await store.images().map(\.original) == [.stored, .missing, .stored])
    #expect(try await library.databaseFaults() == [])
  }

  @Test func `what was forgotten and is found again belongs to its images again`() async throws {
    try await fetch(1)
    try await put(1)
    try await fetch(2, bytes: 90)
    #expect(try await places() == [" away", "here", ""])
    for original in try await library.putOriginals(after: nil, limit: 9) {
      try await library.forgetPut(original.hash)
    }

    let lost = try await library.lostOriginals(after: nil, limit: 9)
    #expect(lost.map(\.imageIDs) == [[1]])
    #expect(lost.map(\.isAway) == [true])
    #expect(try await library.lostOriginals(after: lost.last?.hash, limit: 9) == [])
    for original in lost { try await library.noteFound(original, in: Self.name) }

    #expect(try await places() == [" away", "here", ""])
    #expect(try await store.images().map(\.original) == [.stored, .stored, .missing])
    #expect(try await library.lostOriginals(after: nil, limit: 9) == [])
    #expect(try await library.databaseFaults() == [])
  }

  @Test(.only(.sqlite, "one machine, which may change its object store"))
  func `another object store takes all again, unless one alone has some`() async throws {
    try await fetch(1)
    try await put(1)
    let hash = try #require(try await library.putOriginals(after: nil, limit: 1).first?.hash)

    try await library.notePut(hash, in: "s3://other")
    // This library was opened with the first object store.
    #expect(try await library.putOriginal(imageID: 1) == nil)
    try await library.notePut(hash, in: Self.name)
    try await fetch(2, bytes: 90)

    #expect(await reason { try await library.notePut(hash, in: "s3://other") } == .otherObjects)
    #expect(try await places() == [" away", "here", ""])
  }

  @Test(.only(.sqlite, "rows about files that are away"))
  func `a file that was left behind is a stray, and what is away is never deleted`()
    async throws
  {
    try await fetch(1)
    let path = try #require(try await library.original(imageID: 1)?.path)
    try await put(1)
    try await fetch(2, bytes: 90)
    try Data(repeating: 1, count: 40).write(to: URL(filePath: path))

    #expect(try await library.strayFiles().map(\.path) == [path])
    _ = try await library.clean(.now)

    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try await places() == [" away", "here", ""])
  }

  @Test(.only(.sqlite, "seals of rows"))
  func `a row of the records that was damaged keeps the file`() async throws {
    try await fetch(1)
    try await put(1)
    try store.execute("UPDATE put_original SET put_at = put_at + 1")

    await #expect(throws: StoreError.self) { try await fetch(2, bytes: 90) }
    #expect(try await library.original(imageID: 1) != nil)
    #expect(try await library.databaseFaults() != [])
  }

  @Test func `names those that it does not have`() async throws {
    try await fetch(1)
    let hash = try #require(try await library.originalsToPut(after: 0, limit: 1).first?.hash)
    let other = SHA256Digest(words: [1, 2, 3, 4])

    #expect(try await library.unknown([other, hash], .original) == [other])
  }
}
