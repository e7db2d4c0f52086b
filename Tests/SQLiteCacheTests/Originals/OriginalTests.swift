import Foundation
import Glibc
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct OriginalTests {
  private let store: TemporaryStore
  private let info = PictureInfo(format: .png, bytes: 6, width: 10, height: 20)
  private let hash = "7192385c3c0605de55bb9476ce1d90748190ecb32a8eed7f5207b30cf6a1fe89"

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
  }

  @discardableResult
  private func fetch(_ id: Int64, from name: String) async throws -> StoredOriginal {
    let file = try await store.library.openOriginalFile(imageID: id)
    try await file.restart(OriginalVersion(address: .picture(name)))
    try await file.append([1, 2, 3])
    try await file.append([4, 5, 6])
    return try await file.commit(.sample(info, from: name))
  }

  private func files(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: store.path + "/" + folder).sorted()
  }

  @Test func `keeps an original under the hash of its content`() async throws {
    let stored = try await fetch(1, from: "a")

    let expected = StoredOriginal(
      path: "\(store.path)/originals/71/\(hash).png",
      sha256: hash,
      info: info,
      isStale: false,
      address: .picture("a"),
      validators: Validators(entityTag: "\"a\"", lastModified: "Sun"),
      checkDate: .second
    )
    #expect(stored == expected)
    #expect(try await store.library.original(imageID: 1) == expected)
    #expect(FileManager.default.contents(atPath: stored.path) == Data([1, 2, 3, 4, 5, 6]))
    #expect(try await store.library.image(id: 1)?.original == .stored)
    #expect(try files("partial") == [])
  }

  @Test func `keeps one file of two originals with the same content`() async throws {
    let first = try await fetch(1, from: "a")
    let second = try await fetch(2, from: "b")

    #expect(second.path == first.path)
    #expect(second.sha256 == first.sha256)
    #expect(try files("originals") == ["71", "71/\(hash).png"])
    #expect(try files("partial") == [])
  }

  @Test func `does not take a file for the original that was cut or altered since`() async throws {
    let original = try await fetch(1, from: "a")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: original.path))
    #expect(try await store.library.original(imageID: 1)?.isDamaged == true)

    try Data([6, 5, 4, 3, 2, 1]).write(to: URL(fileURLWithPath: original.path))
    #expect(try await store.library.original(imageID: 1)?.isDamaged == true)
    #expect(try await fetch(1, from: "a") == original)
    #expect(FileManager.default.contents(atPath: original.path) == Data([1, 2, 3, 4, 5, 6]))
  }

  @Test func `leaves nothing of an original that was not committed`() async throws {
    var file: (any OriginalWriting)? = try await store.library.openOriginalFile(imageID: 1)
    try await file?.append([1, 2, 3])
    #expect(try files("partial") == ["1"])
    file = nil

    #expect(file == nil)
    #expect(try files("partial") == [])
    #expect(try await store.library.original(imageID: 1) == nil)
    #expect(try await store.library.image(id: 1)?.original == .missing)
  }

  @Test func `waits for another that fetches the same image until it is cancelled`() async throws {
    let first = try await store.library.openOriginalFile(imageID: 1)
    let library = store.library
    let second = Task { () -> StoreError? in
      do throws(StoreError) {
        _ = try await library.openOriginalFile(imageID: 1)
        return nil
      } catch { return error }
    }
    second.cancel()

    #expect(await second.value?.reason == .busy)
    await first.discard()
    #expect(try await fetch(1, from: "a").sha256 == hash)
  }

  @Test func `calls an original stale when the feed names another address`() async throws {
    try await fetch(1, from: "a")
    try await store.sync([.sample("a2", id: "1")])
    let stale = try await store.library.original(imageID: 1)
    let state = try await store.library.image(id: 1)?.original
    try await fetch(1, from: "a2")

    #expect(stale?.isStale == true)
    #expect(state == .stale)
    #expect(try await store.library.original(imageID: 1)?.isStale == false)
    #expect(try await store.library.image(id: 1)?.original == .stored)
  }

  @Test func `calls an original stale that came from an address the feed has left`() async throws {
    let file = try await store.library.openOriginalFile(imageID: 1)
    try await file.restart(OriginalVersion(address: .picture("a")))
    try await file.append([1])
    try await store.sync([.sample("a2", id: "1")])

    let stored = try await file.commit(.sample(info, from: "a"))

    #expect(stored.isStale)
    #expect(try await store.library.image(id: 1)?.original == .stale)
  }

  @Test func `has no original whose file was taken away`() async throws {
    let stored = try await fetch(1, from: "a")
    try FileManager.default.removeItem(atPath: stored.path)

    #expect(try await store.library.original(imageID: 1) == nil)
    #expect(try await fetch(1, from: "a") == stored)
  }

  @Test func `asks about an original from the date on that it came with`() async throws {
    try await fetch(1, from: "a")

    #expect(try checkDates() == [Date.second.storedSeconds])
  }

  @Test func `notes that the server has no other original`() async throws {
    try await fetch(1, from: "a")
    let validators = Validators(entityTag: "\"b\"")

    let unchanged = UnchangedPicture(
      imageID: 1,
      address: .picture("a"),
      validators: validators,
      checkDate: .first
    )
    try await store.library.store(PictureBatch(unchanged: [unchanged]), .original)

    #expect(try await store.library.original(imageID: 1)?.validators == validators)
    #expect(try checkDates() == [Date.first.storedSeconds])
  }

  @Test func `takes an original for right again when the feed names its address again`()
    async throws
  {
    try await fetch(1, from: "a")
    try await store.sync([.sample("a2", id: "1")])
    try await store.sync([.sample("a", id: "1")])
    #expect(try await store.library.original(imageID: 1)?.isStale == true)

    let renewed = try await renew(1, at: "a")

    #expect(renewed?.isStale == false)
    #expect(try await store.library.image(id: 1)?.original == .stored)
  }

  @Test func `leaves an original stale whose server knows nothing of the new address`()
    async throws
  {
    try await fetch(1, from: "a")
    try await store.sync([.sample("a2", id: "1")])

    #expect(try await renew(1, at: "a")?.isStale == true)
  }

  @Test func `notes nothing of an image that has no original`() async throws {
    #expect(try await renew(1, at: "a") == nil)
    #expect(try checkDates() == [])
  }

  @Test func `counts an original that came again as stored since it came first`() async throws {
    try await fetch(1, from: "a")
    let file = try await store.library.openOriginalFile(imageID: 1)
    try await file.restart(OriginalVersion(address: .picture("a")))
    try await file.append([1, 2, 3, 4, 5, 6])
    _ = try await file.commit(.sample(info, from: "a", arrived: .second))

    let stored = try store.numbers("SELECT stored_at FROM image_original")
    #expect(stored == [Date.first.storedSeconds])
  }

  @Test func `keeps the file before when the content under an address has changed`() async throws {
    let before = try await fetch(1, from: "a")
    let file = try await store.library.openOriginalFile(imageID: 1)
    try await file.restart(OriginalVersion(address: .picture("a")))
    try await file.append([9])
    let after = try await file.commit(.sample(info, from: "a", arrived: .second))

    #expect(try await store.library.original(imageID: 1) == after)
    #expect(FileManager.default.contents(atPath: before.path) == Data([1, 2, 3, 4, 5, 6]))
    #expect(FileManager.default.contents(atPath: after.path) == Data([9]))
    let stored = try store.numbers("SELECT stored_at FROM image_original")
    #expect(stored == [Date.second.storedSeconds])
  }

  @Test func `stores nothing of an image that was deleted meanwhile`() async throws {
    let file = try await store.library.openOriginalFile(imageID: 1)
    try await file.restart(OriginalVersion(address: .picture("a")))
    try await file.append([1])
    _ = try await store.library.removeFeed(id: 1, purging: true)

    await #expect(throws: StoreError.self) { try await file.commit(.sample(info, from: "a")) }
    #expect(try files("originals").filter { $0.hasSuffix(".png") } == [])
  }

  private func renew(_ id: Int64, at name: String) async throws -> StoredOriginal? {
    let unchanged = UnchangedPicture(
      imageID: id,
      address: .picture(name),
      validators: Validators(),
      checkDate: .first
    )
    try await store.library.store(PictureBatch(unchanged: [unchanged]), .original)
    return try await store.library.original(imageID: id)
  }

  private func checkDates() throws -> [Int64] {
    try store.numbers("SELECT original_check_at FROM image WHERE original_check_at IS NOT NULL")
  }

  @Test func `offers originals that are missing or stale`() async throws {
    #expect(try await store.library.count(of: .original, feedID: 1, .missing).offered == 2)
    try await fetch(1, from: "a")

    let orders = try await store.library.wanted(
      .original,
      feedID: 1,
      .missing,
      after: nil,
      limit: 5
    )
    #expect(orders.map(\.imageID) == [2])
    #expect(
      try await store.library.wanted(.original, feedID: 1, .missing, after: orders[0], limit: 5)
        == []
    )
    #expect(try await store.library.count(of: .original, feedID: 1, .missing).offered == 1)
  }

  @Test func `keeps its files from everybody else`() async throws {
    let stored = try await fetch(1, from: "a")
    let modes = try ["", "/originals/71", "/partial"].map { name in
      try FileManager.default.attributesOfItem(atPath: store.path + name)[.posixPermissions] as? Int
    }

    #expect(modes == [0o700, 0o700, 0o700])
    let mode = try FileManager.default.attributesOfItem(atPath: stored.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test(.only(.sqlite, "a file of the database"))
  func `keeps the database from everybody else`() throws {
    let path = store.path + "/gallery.sqlite"
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]

    #expect(mode as? Int == 0o600)
  }
}
