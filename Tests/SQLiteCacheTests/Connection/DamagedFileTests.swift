import Foundation
import Glibc
import LibraryFiles
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

struct DamagedFileTests {
  private let store: TemporaryLibrary

  init() async throws {
    store = try TemporaryLibrary()
    try await store.sync((0..<200).map { .sample("\($0)", title: "Title \($0)") })
    try await store.library.flush()
  }

  private var database: String { store.path + "/gallery.sqlite" }

  private func reason(_ body: () async throws -> Void) async -> StoreError.Reason? {
    do { try await body() } catch { return (error as? StoreError)?.reason }
    return nil
  }

  /// A folder with a file in place of a library.
  private func folder(_ content: Data) async throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try content.write(to: URL(filePath: folder.path + "/gallery.sqlite"))
    return folder
  }

  private func stored() throws -> Data { try Data(contentsOf: URL(filePath: database)) }

  /// Neither a reader nor a writer accepts the file as a library, and neither changes it.
  private func expectRefusal(_ refusal: StoreError.Reason, of content: Data) async throws {
    let folder = try await folder(content)

    #expect(await reason { _ = try await SQLiteLibrary(folder: folder.path).feeds() } == refusal)
    #expect(await reason { try await SQLiteLibrary(folder: folder.path).flush() } == refusal)
    let after = try Data(contentsOf: URL(filePath: folder.path + "/gallery.sqlite"))
    // Compare first: a failed expectation with both values would print their differences byte by byte.
    let isUntouched = after == content
    #expect(isUntouched)
  }

  @Test(arguments: [2, 50, 100, 512, 4_096, 40_000])
  func `refuses a file that was cut`(length: Int) async throws {
    try await expectRefusal(.unreadable, of: try stored().prefix(length))
  }

  /// The fields of the header (www.sqlite.org/fileformat.html, section 1.3).
  @Test(arguments: [
    (0, UInt8(ascii: "X"), StoreError.Reason.unreadable), (16, 0, .unreadable),
    (19, 9, .unreadable), (59, 2, .unreadable), (63, 99, .newer), (60, 0x80, .unreadable),
    (68, 1, .foreign),
  ])
  func `refuses a file with another header`(
    offset: Int,
    byte: UInt8,
    refusal: StoreError.Reason
  ) async throws {
    var content = try stored()
    content[offset] = byte
    if offset == 16 { content[17] = 0 }

    try await expectRefusal(refusal, of: content)
  }

  @Test func `says which version a file has`() async throws {
    var content = try stored()
    content[63] = 99
    let folder = try await folder(content)

    await #expect(
      throws: StoreError(
        reason: .newer,
        path: folder.path + "/gallery.sqlite",
        message: "its version is 99, this program knows up to \(Schema.version)"
      )
    ) { try await SQLiteLibrary(folder: folder.path).feeds() }
  }

  @Test func `takes a file without tables but with a version for another program's`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/gallery.sqlite"
    try Store.Connection.execute("PRAGMA user_version = 7", in: path)

    try await expectRefusal(.foreign, of: try Data(contentsOf: URL(filePath: path)))
  }

  @Test func `takes a file with our name on it but a version below 0 for damaged`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path + "/gallery.sqlite"
    try Store.Connection.execute(
      "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = -2147483648",
      in: path
    )

    try await expectRefusal(.unreadable, of: try Data(contentsOf: URL(filePath: path)))
  }

  @Test func `takes a file with our name on it but without our tables for damaged`() async throws {
    let folder = try ScratchFolder()
    try Store.Connection.execute(
      """
      PRAGMA application_id = \(Schema.applicationID);
      PRAGMA user_version = \(Schema.version);
      """,
      in: folder.path + "/gallery.sqlite"
    )

    #expect(
      await reason { _ = try await SQLiteLibrary(folder: folder.path).feeds() } == .unreadable
    )
  }

  @Test func `says that what has the database's name is not a file, without waiting for it`()
    async throws
  {
    for make in [mkfifo, mkdir] as [(UnsafePointer<CChar>, mode_t) -> Int32] {
      let folder = try ScratchFolder()
      #expect(make(folder.path + "/gallery.sqlite", 0o700) == 0)

      #expect(await reason { _ = try await SQLiteLibrary(folder: folder.path).feeds() } == .foreign)
      #expect(await reason { try await SQLiteLibrary(folder: folder.path).flush() } == .foreign)
    }
  }

  @Test func `names the file that stands where the library's folder would`() async throws {
    let folder = try ScratchFolder()
    let file = folder.path + "/file"
    try Data("x".utf8).write(to: URL(filePath: file))
    let error = StoreError(reason: .unusablePlace, path: file, message: "Not a directory")

    for place in [file, file + "/library/deep"] {
      await #expect(throws: error) { try await SQLiteLibrary(folder: place).feeds() }
      await #expect(throws: error) { try await SQLiteLibrary(folder: place).flush() }
    }
  }

  @Test(arguments: 0..<20)
  func `survives a page of rubbish anywhere in the file`(place: Int) async throws {
    var content = try stored()
    var places = SeededGenerator(seed: UInt64(place))
    let start = Int.random(in: 0..<(content.count - 600), using: &places)
    for index in start..<(start + 600) { content[index] = .random(in: 0...255, using: &places) }
    let folder = try await folder(content)

    let library = SQLiteLibrary(folder: folder.path)
    let refusals = [
      await reason { _ = try await library.feeds() },
      await reason { _ = try await library.images(matching: ImageQuery()) },
      await reason { _ = try await library.images(matching: ImageQuery(search: "t")) },
      await reason { _ = try await library.clean(.rehearsal) },
      await reason {
        let writer = library.writer(forFeedAt: .feed, now: .second)
        try await writer.append((0..<300).map { .sample("\($0)", title: "Other \($0)") })
      },
    ]

    // The check finds damage or nothing; it never reports missing permission or a missing library.
    #expect(Set(refusals).isSubset(of: [nil, .unreadable, .unsound, .other]))
    #expect(
      await reason {
        if try await library.databaseFaults().isEmpty { try await library.flush() }
      } != .noLibrary
    )
  }

  @Test func `reads no frame of a log that was damaged`() async throws {
    try await store.sync([.sample("new", title: "New")])
    let folder = try ScratchFolder()
    for name in ["gallery.sqlite", "gallery.sqlite-wal"] {
      try FileManager.default.copyItem(
        atPath: "\(store.path)/\(name)",
        toPath: "\(folder.path)/\(name)"
      )
    }
    let log = URL(filePath: folder.path + "/gallery.sqlite-wal")
    var content = try Data(contentsOf: log)
    content[32 + 24 + 100] ^= 1
    try content.write(to: log)
    let images = try await SQLiteLibrary(folder: folder.path).images(matching: ImageQuery())

    #expect(images.count == 200)
  }

  @Test func `finds the log of a database that a link leads to`() async throws {
    try await store.sync([.sample("new")])
    let folder = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/gallery.sqlite",
      withDestinationPath: database
    )

    #expect(
      await reason { try ReadConnection.checkFinished(LibraryFolder(folder.path)) }
        == .unfinishedLog
    )
  }

  @Test func `does not write on to a file that was deleted or replaced`() async throws {
    try FileManager.default.removeItem(atPath: database)
    let error = StoreError(
      reason: .readOnly,
      path: database,
      message: "it was deleted or replaced meanwhile"
    )

    await #expect(throws: error) { try await store.library.flush() }
    try Data().write(to: URL(filePath: database))
    await #expect(throws: error) {
      try await store.library.setVerificationMark(VerificationMark(thumbnail: 1, original: 1))
    }
  }
}
