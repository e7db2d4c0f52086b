import Foundation
import LibraryFiles
import Models
import Testing
import Workers

/// Originals within `StorageBounds`, in a library whose object store has those that are put there.
@Suite(.onEachStore)
struct BoundTests {
  let store: TemporaryStore

  /// Four images, in a library that keeps 100 bytes.
  init() async throws {
    store = try TemporaryStore(bounds: StorageBounds(keep: 100), objects: "s3://photos")
    try await store.sync(["a", "b", "c", "d"].map { .sample($0, id: $0) })
  }

  typealias Library = TemporaryStore.Library

  /// Stores an original, records that the object store has it, and views it an hour after the one of the image before.
  func fetch(
    _ imageID: Int64,
    bytes: Int,
    isPut: Bool = true,
    in library: (any Library)? = nil
  ) async throws {
    let library = library ?? store.library
    let file = try await library.openOriginalFile(imageID: imageID)
    try await file.makeRoom(for: bytes, of: nil, purpose: .keeping)
    let name = ["a", "b", "c", "d"][Int(imageID) - 1]
    try await file.restart(OriginalVersion(address: .picture(name)))
    try await file.append([UInt8](repeating: UInt8(imageID), count: bytes))
    let info = PictureInfo(format: .png, bytes: bytes, width: 1, height: 1)
    let stored = try await file.commit(.sample(info, from: name, arrived: .second))
    await look(stored, hour: Double(imageID))
    guard isPut, let hash = SHA256Digest(hexadecimal: stored.sha256) else { return }
    try await library.notePut(hash, in: "s3://photos")
  }

  private func look(_ original: StoredOriginal, hour: Double) async {
    let now = Date() + hour * 3_600
    await store.library.noteLook(atOriginal: original.sha256, now: now)
  }

  func reason(_ body: () async throws -> Void) async -> StoreError.Reason? {
    do { try await body() } catch { return (error as? StoreError)?.reason }
    return nil
  }

  /// The images whose originals are on this disk.
  func here() async throws -> [Int64] {
    var ids: [Int64] = []
    for id: Int64 in 1...4 {
      let path = try await store.library.original(imageID: id)?.path
      if path.flatMap(FileSystem.size) != nil { ids.append(id) }
    }
    return ids
  }

  @Test func `the one that was viewed longest ago gives way, and is still stored`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }

    try await fetch(3, bytes: 41)

    #expect(try await here() == [2, 3])
    #expect(try await store.library.putOriginal(imageID: 1)?.isAway == true)
    #expect(try await store.library.images(ids: [1]).first?.original == .stored)
  }

  @Test func `a smaller bound acts when the library opens with it, in steps`() async throws {
    for id: Int64 in 1...2 { try await fetch(id, bytes: 40) }
    let smaller = store.reopened(bounds: StorageBounds(keep: 50))

    let stopped = try await smaller.giveWay { true }
    let given = try await smaller.giveWay { false }
    let again = try await smaller.giveWay { false }

    #expect(stopped == GivenWay())
    #expect(given == GivenWay(originals: 1, bytes: 40))
    #expect(again == GivenWay())
    #expect(try await here() == [2])
  }

  @Test func `the next one gives way when the file of the first is missing`() async throws {
    for id: Int64 in 1...3 { try await fetch(id, bytes: 30) }
    let first = try #require(try await store.library.original(imageID: 1))
    try FileManager.default.removeItem(atPath: first.path)

    let given = try await store.reopened(bounds: StorageBounds(keep: 50)).giveWay { false }

    #expect(given == GivenWay(originals: 1, bytes: 30))
    #expect(try await here() == [3])
  }

  @Test func `pinned originals exceed a bound, and nothing gives way within it`() async throws {
    for id: Int64 in 1...2 { try await fetch(id, bytes: 40) }
    _ = try await store.library.setPinned(true, imageIDs: [1, 2])

    let within = try await store.library.giveWay { false }
    let given = try await store.reopened(bounds: StorageBounds(keep: 50)).giveWay { false }

    #expect(within == GivenWay())
    #expect(given == GivenWay(excess: 30))
    #expect(try await here() == [1, 2])
  }

  @Test func `a look puts that off`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    let first = try #require(try await store.library.original(imageID: 1))
    await look(first, hour: 4)

    try await fetch(3, bytes: 40)

    #expect(try await here() == [1, 3])
  }

  @Test func `what the object store lacks, and what is pinned, stays`() async throws {
    try await fetch(1, bytes: 40, isPut: false)
    try await fetch(2, bytes: 40)
    _ = try await store.library.setPinned(true, imageIDs: [2])

    #expect(await reason { try await fetch(3, bytes: 21) } == .bounded(bytes: 100))
    #expect(try await here() == [1, 2])
    try await fetch(3, bytes: 20)
    #expect(await reason { try await fetch(4, bytes: 21) } == .bounded(bytes: 100))
    #expect(try await here() == [1, 2, 3])
  }

  @Test func `one that is larger than the bound is refused, and nothing gives way`() async throws {
    try await fetch(3, bytes: 40)

    #expect(await reason { try await fetch(1, bytes: 101) } == .tooLarge(bound: 100))
    #expect(try await here() == [3])
  }

  @Test func `room is reserved for all that arrives, in every process`() async throws {
    let other = store.reopened(bounds: StorageBounds(keep: 100))
    let first = try await store.library.openOriginalFile(imageID: 1)
    try await first.makeRoom(for: 60, of: nil, purpose: .keeping)

    #expect(await reason { try await fetch(2, bytes: 41, in: other) } == .bounded(bytes: 100))
    try await fetch(3, bytes: 40, in: other)

    // A new length replaces the reservation of the same file.
    try await first.makeRoom(for: 50, of: nil, purpose: .keeping)
    try await fetch(2, bytes: 10, in: other)
    try await fetch(4, bytes: 41)
    #expect(try await here() == [4])
    await first.discard()
    try await fetch(2, bytes: 50)
    #expect(try await here() == [2, 4])
  }

  @Test func `what another process stores counts at once, and what it deletes does not`()
    async throws
  {
    let other = store.reopened(bounds: StorageBounds(keep: 100))
    try await fetch(1, bytes: 60, isPut: false)
    try await fetch(2, bytes: 40, isPut: false, in: other)

    #expect(await reason { try await fetch(3, bytes: 1) } == .bounded(bytes: 100))
    let path = try #require(try await store.library.original(imageID: 2)?.path)
    #expect(try FileSystem.remove(path))
    try await fetch(3, bytes: 40)

    #expect(try await here() == [1, 3])
  }

  @Test func `a file that is begun again keeps its room`() async throws {
    let file = try await store.library.openOriginalFile(imageID: 1)
    try await file.makeRoom(for: 60, of: nil, purpose: .keeping)
    for letter: UInt8 in [1, 2] {
      try await file.restart(OriginalVersion(address: .picture("a")))
      try await file.append([letter])
    }

    #expect(await reason { try await fetch(2, bytes: 41) } == .bounded(bytes: 100))
    await file.discard()
  }

  @Test func `originals give way to the bytes that arrive, not to those that are promised`()
    async throws
  {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    let file = try await store.library.openOriginalFile(imageID: 3)

    #expect(try await file.makeRoom(for: 0, of: 90, purpose: .keeping) == 0)
    #expect(try await file.makeRoom(for: 20, of: 90, purpose: .keeping) == 20)
    #expect(try await here() == [1, 2])
    #expect(try await file.makeRoom(for: 21, of: 90, purpose: .keeping) == 21)
    #expect(try await here() == [2])
    // The bytes that have become free are enough for the whole.
    #expect(try await file.makeRoom(for: 22, of: 60, purpose: .keeping) == 60)
    _ = try await store.library.setPinned(true, imageIDs: [2])
    #expect(
      await reason { try await file.makeRoom(for: 61, of: 90, purpose: .keeping) }
        == .bounded(bytes: 100)
    )
    #expect(try await here() == [2])
    await file.discard()
  }

  @Test func `nothing gives way to an original that has no room as a whole`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    _ = try await store.library.setPinned(true, imageIDs: [1])
    let file = try await store.library.openOriginalFile(imageID: 3)

    #expect(
      await reason { try await file.makeRoom(for: 30, of: 61, purpose: .viewing) }
        == .bounded(bytes: 100)
    )
    #expect(
      await reason { try await file.makeRoom(for: 1, of: 101, purpose: .viewing) }
        == .tooLarge(bound: 100)
    )
    #expect(try await here() == [1, 2])
    await file.discard()
  }

  @Test func `the part that is kept of an original counts`() async throws {
    let file = try await store.library.openOriginalFile(imageID: 1)
    try await file.makeRoom(for: 90, of: nil, purpose: .keeping)
    try await file.restart(
      OriginalVersion(address: .picture("a"), rangeValidator: "\"a\"", total: 90)
    )
    try await file.append([UInt8](repeating: 1, count: 30))
    await file.suspend()

    #expect(await reason { try await fetch(2, bytes: 71) } == .bounded(bytes: 100))
    try await fetch(2, bytes: 70)
  }
}
