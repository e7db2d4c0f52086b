import Foundation
import LibraryFiles
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Files of a process that was killed while it created or changed them without the write-ahead log.
///
/// A journal next to such a file describes its earlier state.
struct HalfMadeFileTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
  }

  /// Leaves a file in the middle of a change.
  private func leave(prepared statements: String) throws {
    let folder = LibraryFolder(store.path)
    let other = folder.path + "/other"
    // With `synchronous = OFF` the journal is valid from its first byte.
    let driver = try SQLiteDriver(path: other, waiting: 0)
    try driver.execute("PRAGMA synchronous = OFF; \(statements)")
    try driver.execute("BEGIN; PRAGMA user_version = 7")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: other + suffix, toPath: folder.database + suffix)
    }
    try driver.execute("ROLLBACK")
  }

  private func reasonNotToRead() async -> StoreError.Reason? {
    do throws(StoreError) {
      _ = try await SQLiteLibrary(folder: store.path).feeds()
      return nil
    } catch {
      return error.reason
    }
  }

  /// The first statements on an empty file, in this version and in earlier ones.
  private static let preparations = ["PRAGMA page_size = 8192", "PRAGMA page_size = 4096"]
    .map { "\($0); PRAGMA auto_vacuum = INCREMENTAL; PRAGMA user_version = 0" }

  @Test(arguments: preparations)
  func `are not a library before there is a table`(prepared: String) async throws {
    try leave(prepared: prepared)

    #expect(await reasonNotToRead() == .noLibrary)
  }

  @Test(arguments: preparations)
  func `become a library with the first sync`(prepared: String) async throws {
    try leave(prepared: prepared)

    try await store.sync([.sample("a")])

    #expect(try await SQLiteLibrary(folder: store.path).feeds().count == 1)
    #expect(try await store.library.databaseFaults() == [])
  }

  @Test func `become a library while another process looks at them`() async throws {
    let path = LibraryFolder(store.path).database
    let reader = try Connection.file(path)
    try SchemaSetup.prepareEmptyFile(reader)
    try reader.execute("PRAGMA journal_mode = WAL")
    let version = try FileVersion(reader)

    try await store.sync([.sample("a")])

    #expect(version == .empty)
    #expect(try await SQLiteLibrary(folder: store.path).feeds().count == 1)
    #expect(try reader.value("PRAGMA auto_vacuum") == 2)
  }

  @Test(arguments: [1, 8_192, 65_536])
  func `of zeros are not a library, and become one with the first sync`(bytes: Int) async throws {
    try Data(count: bytes).write(to: URL(filePath: LibraryFolder(store.path).database))
    let reason = await reasonNotToRead()

    try await store.sync([.sample("a")])

    #expect(reason == .noLibrary)
    #expect(try await SQLiteLibrary(folder: store.path).feeds().count == 1)
  }

  @Test(arguments: [Data(count: 65_537), Data([0, 0, 1])])
  func `are left alone when they are anything else`(content: Data) async throws {
    let path = LibraryFolder(store.path).database
    try content.write(to: URL(filePath: path))

    #expect(await reasonNotToRead() == .unreadable)
    await #expect(throws: StoreError.self) { try await store.sync([.sample("a")]) }
    #expect(FileManager.default.contents(atPath: path) == content)
  }

  @Test func `are not taken for empty when there is a table`() async throws {
    try leave(prepared: "CREATE TABLE image (a)")

    #expect(await reasonNotToRead() == .readOnly)
  }
}
