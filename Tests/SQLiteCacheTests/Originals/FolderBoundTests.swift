import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Originals of a library in a folder that has no object store, within `StorageBounds`.
struct FolderBoundTests {
  private let store: TemporaryLibrary

  /// Three images, one per day, the newest first, in a library that keeps 100 bytes.
  init() async throws {
    store = try TemporaryLibrary(bounds: StorageBounds(keep: 100))
    let day = { (number: Double) in Date(timeIntervalSince1970: 86_400 * number) }
    try await store.sync([
      .sample("a", published: day(3)), .sample("b", published: day(2)),
      .sample("c", published: day(1)),
    ])
  }

  private func fetch(
    _ imageID: Int64,
    bytes: Int,
    lookedAt: Date? = nil,
    in library: SQLiteLibrary? = nil
  ) async throws {
    let file = try await (library ?? store.library).openOriginalFile(imageID: imageID)
    try await file.makeRoom(for: bytes, of: nil, purpose: lookedAt == nil ? .keeping : .viewing)
    let name = ["a", "b", "c"][Int(imageID) - 1]
    try await file.restart(OriginalVersion(address: .picture(name)))
    try await file.append([UInt8](repeating: UInt8(imageID), count: bytes))
    let info = PictureInfo(format: .png, bytes: bytes, width: 1, height: 1)
    var receipt = OriginalReceipt.sample(info, from: name, arrived: .second)
    receipt.lookedAt = lookedAt
    _ = try await file.commit(receipt)
  }

  private func reason(_ body: () async throws -> Void) async -> StoreError.Reason? {
    do { try await body() } catch { return (error as? StoreError)?.reason }
    return nil
  }

  private func stored() async throws -> [Int64] {
    try await [1, 2, 3].asyncFilter { try await store.library.original(imageID: $0) != nil }
  }

  /// The sizes of the files below `originals`.
  private func files() -> [Int] {
    let folder = store.path + "/originals"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.contains(".") }.compactMap { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      return attributes?[.size] as? Int
    }.sorted()
  }

  @Test func `the original of a newer image takes the place of the oldest`() async throws {
    for id: Int64 in [3, 2] { try await fetch(id, bytes: 40) }

    try await fetch(1, bytes: 41)

    #expect(try await stored() == [1, 2])
    #expect(files() == [40, 41])
    #expect(try await store.images().map(\.original) == [.stored, .stored, .missing])
  }

  @Test func `what was fetched ahead never takes the place of newer ones`() async throws {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }

    #expect(await reason { try await fetch(3, bytes: 40) } == .bounded(bytes: 100))

    #expect(try await stored() == [1, 2])
    #expect(files() == [40, 40])
  }

  @Test func `what a viewer looks at takes the place of what was not looked at for longest`()
    async throws
  {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    let newest = try #require(try await store.library.original(imageID: 2))
    await store.library.noteLook(atOriginal: newest.sha256, now: .second)

    try await fetch(3, bytes: 40, lookedAt: .second + 1)

    #expect(try await stored() == [2, 3])
  }

  @Test func `pinned originals stay, and too few others are not taken away`() async throws {
    for id: Int64 in [2, 3] { try await fetch(id, bytes: 40) }
    _ = try await store.library.setPinned(true, imageIDs: [3])

    #expect(await reason { try await fetch(1, bytes: 61) } == .bounded(bytes: 100))
    #expect(try await stored() == [2, 3])

    try await fetch(1, bytes: 60)
    #expect(try await stored() == [1, 3])
  }

  @Test func `originals give way to the bytes that arrive, not to those that are promised`()
    async throws
  {
    for id: Int64 in [1, 2] { try await fetch(id, bytes: 40) }
    let file = try await store.library.openOriginalFile(imageID: 3)

    #expect(try await file.makeRoom(for: 0, of: 90, purpose: .viewing) == 0)
    #expect(try await file.makeRoom(for: 20, of: 90, purpose: .viewing) == 20)
    #expect(try await stored() == [1, 2])
    #expect(try await file.makeRoom(for: 21, of: 90, purpose: .viewing) == 21)
    #expect(try await stored().count == 1)
    // The bytes that have become free are enough for the whole.
    #expect(try await file.makeRoom(for: 22, of: 60, purpose: .viewing) == 60)
    await file.discard()

    #expect(try await stored().count == 1)
  }

  @Test func `originals that no image has any more go first`() async throws {
    try await fetch(1, bytes: 40)
    try await fetch(3, bytes: 20)
    try store.execute("DELETE FROM image_original WHERE image_id = 1")
    try store.execute("UPDATE original_use SET used_at = 0 WHERE original_id = 1")

    try await fetch(2, bytes: 50)

    #expect(try await stored() == [2, 3])
    #expect(files() == [20, 50])
  }

  @Test func `an original whose date of use is lost gives way after a repair`() async throws {
    try await fetch(1, bytes: 40)
    try store.execute("DELETE FROM original_use")

    try await store.library.repairDatabase()

    #expect(try store.numbers("SELECT used_at FROM original_use") == [0])
  }

  @Test func `a library without a bound notes no looks`() async throws {
    let free = SQLiteLibrary(folder: store.path)
    try await fetch(1, bytes: 200, in: free)
    let original = try #require(try await free.original(imageID: 1))
    let before = try store.numbers("SELECT used_at FROM original_use")
    await free.noteLook(atOriginal: original.sha256, now: .second + 1_000_000)

    #expect(try store.numbers("SELECT used_at FROM original_use") == before)
  }
}

extension Array {
  fileprivate func asyncFilter(_ isIncluded: (Element) async throws -> Bool) async rethrows
    -> [Element]
  {
    var kept: [Element] = []
    for element in self where try await isIncluded(element) { kept.append(element) }
    return kept
  }
}
