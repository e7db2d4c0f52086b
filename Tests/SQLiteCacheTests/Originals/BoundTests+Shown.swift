import Foundation
import LibraryFiles
import Models
import Testing
import Workers

/// Originals that somebody looks at, and those that are here only until their thumbnail is made.
extension BoundTests {
  private func path(_ imageID: Int64) async throws -> String {
    try #require(try await store.library.original(imageID: imageID)).path
  }

  /// Begins the file of an original that is fetched for its thumbnail, with bytes in it.
  private func passing(
    _ imageID: Int64,
    bytes: Int,
    of total: Int
  ) async throws -> any OriginalWriting {
    let file = try await store.library.openOriginalFile(imageID: imageID)
    try await file.makeRoom(for: bytes, of: total, purpose: .thumbnail)
    try await file.restart(
      OriginalVersion(address: .picture("c"), rangeValidator: "\"c\"", total: total)
    )
    try await file.append([UInt8](repeating: 9, count: bytes))
    return file
  }

  /// The length of the part that an earlier attempt left.
  private func kept(_ imageID: Int64) async throws -> Int? {
    let file = try await store.library.openOriginalFile(imageID: imageID)
    let length = file.kept?.length
    await file.suspend()
    return length
  }

  // MARK: For thumbnails only

  @Test func `nothing gives way to one that is fetched for its thumbnail, in any process`()
    async throws
  {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    let file = try await passing(3, bytes: 90, of: 500)
    let other = store.reopened(bounds: StorageBounds(keep: 100))

    let given = try await other.giveWay { false }
    try await fetch(4, bytes: 20, in: other)

    #expect(given == GivenWay())
    #expect(try await here() == [1, 2, 4])
    await file.discard()
    #expect(try await other.giveWay { false } == GivenWay())
    #expect(try await here() == [1, 2, 4])
  }

  @Test func `a bound that others have set counts none that an unbounded sync fetches`()
    async throws
  {
    let other = store.reopened()
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    let file = try await other.openOriginalFile(imageID: 3)
    try await file.makeRoom(for: 90, of: 90, purpose: .thumbnail)
    try await file.restart(OriginalVersion(address: .picture("c")))
    try await file.append([UInt8](repeating: 9, count: 90))

    #expect(try await store.library.giveWay { false } == GivenWay())

    await file.discard()
    #expect(try await here() == [1, 2])
  }

  @Test func `one that begins again is still fetched for its thumbnail`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    let file = try await passing(3, bytes: 90, of: 90)
    try await file.restart(OriginalVersion(address: .picture("c")))
    try await file.append([UInt8](repeating: 8, count: 90))

    #expect(try await store.library.giveWay { false } == GivenWay())

    await file.discard()
  }

  @Test func `a part of it stays only where it has room`() async throws {
    let first = try await passing(3, bytes: 30, of: 90)
    await first.suspend()
    let part = try await kept(3)
    try await fetch(1, bytes: 80)
    let second = try await passing(3, bytes: 30, of: 90)
    await second.suspend()

    #expect(part == 30)
    #expect(try await kept(3) == nil)
  }

  @Test func `a part of it gives way before any original`() async throws {
    try await fetch(1, bytes: 60)
    let part = try await passing(3, bytes: 30, of: 40)
    await part.suspend()

    try await fetch(2, bytes: 40)

    #expect(try await here() == [1, 2])
    #expect(try await kept(3) == nil)
  }

  @Test func `a part that a killed process left gives way before any original`() async throws {
    try await fetch(1, bytes: 60)
    let left = LibraryFolder(store.path).partial(imageID: 3)
    try Data(repeating: 9, count: 30).write(to: URL(filePath: left))

    try await fetch(2, bytes: 40)

    #expect(try await here() == [1, 2])
    #expect(FileSystem.size(of: left) == nil)
  }

  @Test func `a part that somebody has waited for stays one when a sync continues it`()
    async throws
  {
    let file = try await store.library.openOriginalFile(imageID: 3)
    try await file.makeRoom(for: 30, of: 90, purpose: .viewing)
    try await file.restart(
      OriginalVersion(address: .picture("c"), rangeValidator: "\"c\"", total: 90)
    )
    try await file.append([UInt8](repeating: 9, count: 30))
    await file.suspend()
    let again = try await store.library.openOriginalFile(imageID: 3)
    try await again.makeRoom(for: 40, of: 90, purpose: .thumbnail)
    try await again.resume { _ in }
    try await again.append([UInt8](repeating: 9, count: 10))
    await again.suspend()

    #expect(await reason { try await fetch(1, bytes: 61) } == .bounded(bytes: 100))
    #expect(try await kept(3) == 40)
  }

  @Test func `a part that somebody has waited for does not grow beyond the bound`() async throws {
    let file = try await store.library.openOriginalFile(imageID: 3)
    try await file.makeRoom(for: 30, of: nil, purpose: .viewing)
    try await file.restart(OriginalVersion(address: .picture("c"), rangeValidator: "\"c\""))
    try await file.append([UInt8](repeating: 9, count: 30))
    await file.suspend()
    let again = try await store.library.openOriginalFile(imageID: 3)
    try await again.makeRoom(for: 120, of: 120, purpose: .thumbnail)
    try await again.resume { _ in }
    try await again.append([UInt8](repeating: 9, count: 90))
    await again.suspend()

    #expect(try await kept(3) == 30)
    let path = LibraryFolder(store.path).partial(imageID: 3)
    #expect(FileSystem.size(of: path) == 30)
    #expect(try await store.library.giveWay { false } == GivenWay())
  }

  @Test func `one that the disk has no room for is refused, and the reason names what stays free`()
    async throws
  {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    let library = store.reopened(bounds: StorageBounds(keep: 100, keepFree: 1 << 60))
    let file = try await library.openOriginalFile(imageID: 3)

    #expect(
      await reason { try await file.makeRoom(for: 1, of: 9, purpose: .thumbnail) }
        == .noFreeRoom(keepFree: 1 << 60)
    )
    #expect(try await here() == [1, 2])
    await file.discard()
  }

  @Test func `the reason names the bound that has no room`() async throws {
    try await fetch(1, bytes: 40)
    _ = try await store.library.setPinned(true, imageIDs: [1])
    let library = store.reopened(bounds: StorageBounds(keep: 1_000, keepFree: 1 << 60))

    #expect(await reason { try await fetch(2, bytes: 40, in: library) } == .bounded(bytes: nil))
  }

  // MARK: Shown

  @Test func `an original that is shown does not give way, in any process`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    let isThere = await store.library.hold(try await path(1), for: .untilEnd)
    let other = store.reopened(bounds: StorageBounds(keep: 50))

    let given = try await other.giveWay { false }
    let smaller = try await store.reopened(bounds: StorageBounds(keep: 30)).giveWay { false }

    #expect(isThere)
    #expect(given == GivenWay(originals: 1, bytes: 40))
    #expect(smaller == GivenWay(excess: 10, shown: 1))
    #expect(try await here() == [1])
  }

  @Test func `an original that is shown is not replaced by one that arrives`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    for id: Int64 in [1, 2] {
      #expect(await store.library.hold(try await path(id), for: .untilEnd))
    }

    #expect(await reason { try await fetch(3, bytes: 41) } == .bounded(bytes: 100))
    #expect(try await here() == [1, 2])
  }

  @Test func `the next in turn gives way for one that is shown`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    #expect(await store.library.hold(try await path(1), for: .untilNext))

    try await fetch(3, bytes: 41)

    #expect(try await here() == [1, 3])
  }

  @Test func `an original is shown until the next one is, or is let go`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    for id: Int64 in [1, 2] {
      #expect(await store.library.hold(try await path(id), for: .untilNext))
    }

    let first = try await store.reopened(bounds: StorageBounds(keep: 50)).giveWay { false }
    #expect(first == GivenWay(originals: 1, bytes: 40))
    #expect(try await here() == [2])
    await store.library.letGo()
    let second = try await store.reopened(bounds: StorageBounds(keep: 30)).giveWay { false }

    #expect(second == GivenWay(originals: 1, bytes: 40))
    #expect(try await here() == [])
  }

  @Test func `an original that has given way cannot be shown`() async throws {
    try await fetch(1, bytes: 40)
    let path = try await path(1)
    _ = try await store.reopened(bounds: StorageBounds(keep: 30)).giveWay { false }

    #expect(await !store.library.hold(path, for: .untilEnd))
  }
}
