import Foundation
import LibraryFiles
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Originals that have not arrived in full.
@Suite(.onEachStore)
struct PartialOriginalTests {
  private let store: TemporaryStore
  private let info = PictureInfo(format: .png, bytes: 6, width: 10, height: 20)
  private let version = OriginalVersion(
    address: .picture("a"),
    validators: Validators(entityTag: "\"a\"", lastModified: "Sun, 01 Nov 2026 08:00:00 GMT"),
    rangeValidator: "\"a\"",
    total: 6
  )

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([.sample("a", id: "1")])
  }

  // MARK: Resuming

  @Test func `keeps what has arrived for the next one to go on from`() async throws {
    try await keep([1, 2, 3])

    let file = try await open()
    var read: [UInt8] = []
    try await file.resume { read += $0 }
    try await file.append([4, 5, 6])
    let stored = try await file.commit(.sample(info, from: "a"))

    #expect(file.kept == KeptOriginal(version: version, length: 3))
    #expect(read == [1, 2, 3])
    #expect(FileManager.default.contents(atPath: stored.path) == Data([1, 2, 3, 4, 5, 6]))
    #expect(try stored.sha256 == Self.hash([1, 2, 3, 4, 5, 6]))
    #expect(try partials() == [])
  }

  @Test func `goes on behind the last bytes that were noted, whatever stands behind them`()
    async throws
  {
    try await keep([1, 2, 3])
    try Data([1, 2, 3, 9, 9, 9, 9]).write(to: URL(filePath: partial))

    let file = try await open()
    try await file.resume { _ in }
    try await file.append([4, 5, 6])

    #expect(try file.sha256 == Self.hash([1, 2, 3, 4, 5, 6]))
    #expect(try await file.commit(.sample(info, from: "a")).info.bytes == 6)
  }

  @Test func `notes what is here on the way, for one that is killed`() async throws {
    let piece = [UInt8](repeating: 7, count: 3 << 20)
    var file: (any OriginalWriting)? = try await open()
    var version = version
    version.total = 14 * piece.count
    try await file?.restart(version)
    // The library starts a note after 8 MB, and completes it before 32 MB more arrive.
    for _ in 1...14 { try await file?.append(piece) }
    // A copy as a killed process would leave it: the note is older than the file.
    try copyPartial()
    file = nil
    try restorePartial()

    let kept = try await open().kept

    let length = try #require(kept?.length)
    #expect(length >= 9 << 20)
    #expect(length <= 14 * piece.count && length % piece.count == 0)
  }

  @Test func `reads a long file back in pieces`() async throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try await keep(bytes)

    let file = try await open()
    var lengths: [Int] = []
    try await file.resume { lengths.append($0.count) }

    #expect(lengths.reduce(0, +) == bytes.count)
    #expect(lengths.allSatisfy { $0 <= 256 << 10 })
    #expect(try file.sha256 == Self.hash(bytes))
  }

  @Test func `leaves alone what is kept when it is not gone on from`() async throws {
    try await keep([1, 2, 3])

    try await open().suspend()

    #expect(try await open().kept?.length == 3)
  }

  @Test func `counts what came after going on`() async throws {
    try await keep([1, 2, 3])
    let file = try await open()
    try await file.resume { _ in }
    try await file.append([4])
    await file.suspend()

    #expect(try await open().kept?.length == 4)
  }

  @Test func `keeps for each image what is its own`() async throws {
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
    try await keep([1, 2, 3])

    #expect(try await store.library.openOriginalFile(imageID: 2).kept == nil)
  }

  // MARK: Starting over

  @Test func `starts over where there is no note`() async throws {
    try await keep([1, 2, 3])
    try FileManager.default.removeItem(atPath: note)

    let file = try await open()

    #expect(file.kept == nil)
    try await file.restart(version)
    try await file.append([5])
    #expect(try await file.commit(.sample(info, from: "a")).sha256 == Self.hash([5]))
  }

  @Test(arguments: [
    "", "{", "[]", "\u{0}\u{0}\u{0}", #"{"address":"a"}"#, #"{"length":-1}"#,
    #"{"address":"https://example.org/a","rangeValidator":"\"a\"","length":3,"total":-9223372036854775808}"#,
    #"{"address":"https://example.org/a","rangeValidator":"\"a\"","length":3,"total":2}"#,
    #"{"address":"https://example.org/a","rangeValidator":"\"a\"","length":9223372036854775807}"#,
    #"{"address":"https://example.org/a","rangeValidator":"\"a\"","length":1e308}"#,
  ])
  func `starts over where the note is torn`(_ text: String) async throws {
    try await keep([1, 2, 3])
    try Data(text.utf8).write(to: URL(filePath: note))

    #expect(try await open().kept == nil)
  }

  @Test func `starts over where less is here than was noted`() async throws {
    try await keep([1, 2, 3])
    try Data([1, 2]).write(to: URL(filePath: partial))

    let file = try await open()
    #expect(file.kept == nil)
    await file.suspend()
    #expect(try partials() == [])
  }

  @Test func `takes the note away before another version's first byte`() async throws {
    try await keep([1, 2, 3])
    let file = try await open()
    var other = version
    other.rangeValidator = nil
    try await file.restart(other)

    #expect(try partials() == ["1"])
    #expect(FileManager.default.contents(atPath: partial) == Data())
    try await file.append([8, 9])
    await file.suspend()
    #expect(try partials() == [])
  }

  @Test func `hashes another version from its first byte`() async throws {
    try await keep([1, 2, 3])
    let file = try await open()
    try await file.resume { _ in }
    try await file.restart(version)
    try await file.append([4, 5])

    #expect(try await file.commit(.sample(info, from: "a")).sha256 == Self.hash([4, 5]))
  }

  @Test func `leaves the bytes of a version to its reader when another one begins`() async throws {
    let file = try await open()
    try await file.restart(version)
    try await file.append([1, 2, 3])
    let reader = try #require(FileHandle(forReadingAtPath: partial))

    try await file.restart(version)
    try await file.append([4, 5, 6, 7])

    #expect(try reader.readToEnd() == Data([1, 2, 3]))
    #expect(FileManager.default.contents(atPath: partial) == Data([4, 5, 6, 7]))
    await file.suspend()
    #expect(try await open().kept?.length == 4)
  }

  // MARK: Removing partial files

  @Test(arguments: [true, false])
  func `takes away a note that a killed process was writing`(_ isResumed: Bool) async throws {
    try await keep([1, 2, 3])
    try Data([0]).write(to: URL(filePath: note + ".new"))

    let file = try await open()
    if isResumed { try await file.resume { _ in } } else { try await file.restart(version) }
    try await file.append([4, 5, 6])
    _ = try await file.commit(.sample(info, from: "a"))

    #expect(try partials() == [])
  }

  @Test func `keeps nothing of what no rest can be asked for`() async throws {
    let file = try await open()
    try await file.restart(OriginalVersion(address: .picture("a"), total: 6))
    try await file.append([1, 2, 3])
    await file.suspend()

    #expect(try partials() == [])
  }

  @Test func `keeps nothing of an original of which nothing came`() async throws {
    let file = try await open()
    try await file.restart(version)
    await file.suspend()

    #expect(try partials() == [])
  }

  @Test func `throws away what was kept, too`() async throws {
    try await keep([1, 2, 3])
    try await open().discard()

    #expect(try partials() == [])
  }

  @Test func `suspends what is let go of`() async throws {
    var file: (any OriginalWriting)? = try await open()
    try await file?.restart(version)
    try await file?.append([1, 2])
    #expect(file != nil)
    file = nil

    #expect(try await open().kept?.length == 2)
  }

  @Test func `keeps what could not be stored`() async throws {
    let file = try await open()
    try await file.restart(version)
    try await file.append([1, 2])
    let folder = store.path + "/originals"
    try FileManager.default.removeItem(atPath: folder)
    try Data().write(to: URL(filePath: folder))
    await #expect(throws: StoreError.self) { try await file.commit(.sample(info, from: "a")) }
    await file.suspend()

    #expect(try await open().kept?.length == 2)
  }

  @Test func `is not begun where it could not be stored in the end`() async throws {
    try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: store.path + "/originals"))

    await #expect(throws: StoreError.self) { _ = try await open() }
    #expect(!FileManager.default.fileExists(atPath: partial))
  }

  @Test func `does nothing once it has ended`() async throws {
    let file = try await open()
    await file.discard()
    await file.suspend()

    await #expect(throws: StoreError.self) { try await file.append([1]) }
    await #expect(throws: StoreError.self) { try await file.restart(version) }
    await #expect(throws: StoreError.self) { try await file.resume { _ in } }
  }

  // MARK: Helpers

  private var partial: String { store.path + "/partial/1" }
  private var note: String { partial + ".note" }

  private func open() async throws -> any OriginalWriting {
    try await store.library.openOriginalFile(imageID: 1)
  }

  private func keep(_ bytes: [UInt8]) async throws {
    let file = try await open()
    var version = version
    version.total = max(6, bytes.count)
    try await file.restart(version)
    try await file.append(bytes)
    await file.suspend()
    #expect(try partials() == ["1", "1.note"])
  }

  private func copyPartial() throws {
    for path in [partial, note] {
      try FileManager.default.copyItem(atPath: path, toPath: store.path + "/" + name(path))
    }
  }

  private func restorePartial() throws {
    for path in [partial, note] {
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: store.path + "/" + name(path), toPath: path)
    }
  }

  private func name(_ path: String) -> String { "copy of " + URL(filePath: path).lastPathComponent }

  private func partials() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.path + "/partial").sorted()
  }

  private static func hash(_ bytes: [UInt8]) throws -> String {
    try SHA256.digits(of: bytes, path: "")
  }
}
