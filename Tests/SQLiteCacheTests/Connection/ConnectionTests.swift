import CSQLite
import Foundation
import Glibc
import LibraryFiles
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache
@testable import Store

struct ConnectionTests {
  private let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  private var database: String { store.path + "/gallery.sqlite" }

  private func reason(_ body: () async throws -> Void) async -> StoreError.Reason? {
    do { try await body() } catch { return (error as? StoreError)?.reason }
    return nil
  }

  @Test func `says that there is no library, and makes none`() async throws {
    let reader = SQLiteLibrary(folder: store.path)

    #expect(await reason { _ = try await reader.feeds() } == .noLibrary)
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `says that there is no library in a file that was only just made`() async throws {
    try FileManager.default.createDirectory(
      atPath: store.path,
      withIntermediateDirectories: true
    )
    #expect(FileManager.default.createFile(atPath: database, contents: nil))

    #expect(await reason { _ = try await SQLiteLibrary(folder: store.path).feeds() } == .noLibrary)
  }

  @Test(arguments: [Data(), Data(count: 4_096)])
  func `says that a database is lost which is empty beside files of a library`(
    content: Data
  ) async throws {
    let original = "\(store.path)/originals/ab/\(String(repeating: "ab", count: 32)).jpg"
    try FileManager.default.createDirectory(
      atPath: store.path + "/originals/ab",
      withIntermediateDirectories: true
    )
    try Data([1]).write(to: URL(filePath: original))
    try content.write(to: URL(filePath: database))
    let log = Data([1, 2, 3])
    try log.write(to: URL(filePath: database + "-wal"))
    let expected = StoreError.Reason.lostDatabase(
      LibraryRemains(folder: store.path, originals: 1)
    )

    #expect(await reason { _ = try await SQLiteLibrary(folder: store.path).feeds() } == expected)
    #expect(await reason { try await store.sync([.sample("a")]) } == expected)
    #expect(FileManager.default.contents(atPath: database) == content)
    // It may have all that can be recovered.
    #expect(FileManager.default.contents(atPath: database + "-wal") == log)
  }

  @Test func `says that a database is lost which has no table beside files of a library`()
    async throws
  {
    let folder = LibraryFolder(store.path)
    try folder.make()
    let driver = try Connection.file(database)
    try SchemaSetup.prepareEmptyFile(driver)
    try driver.execute("PRAGMA journal_mode = WAL")
    try Data([1]).write(to: URL(filePath: folder.key))
    let expected = StoreError.Reason.lostDatabase(
      LibraryRemains(folder: store.path, hasKey: true)
    )

    #expect(await reason { _ = try await SQLiteLibrary(folder: store.path).feeds() } == expected)
    #expect(await reason { try await store.sync([.sample("a")]) } == expected)
    try FileManager.default.removeItem(atPath: folder.key)
    try await store.sync([.sample("a")])
  }

  @Test func `another mark follows each commit, also of others, and nothing else`() async throws {
    #expect(store.library.changeMark == nil)
    #expect(!FileManager.default.fileExists(atPath: store.path))
    try await store.sync([.sample("a")])
    let reader = SQLiteLibrary(folder: store.path)
    var mark = try #require(reader.changeMark)
    func hasChanged() -> Bool {
      let old = mark
      mark = reader.changeMark ?? -1
      return mark != old
    }

    _ = try await reader.feeds()
    _ = try await store.library.feeds()
    #expect(!hasChanged())
    try await store.sync([.sample("b")])
    #expect(hasChanged())
    #expect(!hasChanged())
    let other = try store.connection()
    try other.begin(.writing)
    try other.execute("CREATE TABLE other (number INTEGER)")
    #expect(!hasChanged())
    try other.commit()
    #expect(hasChanged())
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = hasChanged()
    try store.execute("INSERT INTO other VALUES (1)")
    #expect(hasChanged())
    #expect(!hasChanged())
    #expect(try await reader.feeds().count == 1)
  }

  @Test func `a connection that is opened later does not repeat the marks of another`() async throws
  {
    try await store.sync([.sample("a")])

    let marks = (1...3).compactMap { _ in SQLiteLibrary(folder: store.path).changeMark }

    #expect(Set(marks).count == 3)
  }

  @Test func `finds a library that was made after the first question`() async throws {
    let reader = SQLiteLibrary(folder: store.path)
    #expect(await reason { _ = try await reader.feeds() } == .noLibrary)
    try await store.sync([.sample("a")])

    #expect(try await reader.feeds().map(\.id) == [1])
  }

  @Test func `refuses a library of a later version and leaves it`() async throws {
    try await store.sync([.sample("a")])
    try await store.library.flush()
    try store.execute("PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)")
    let before = FileManager.default.contents(atPath: database)
    let later = SQLiteLibrary(folder: store.path)

    #expect(await reason { _ = try await SQLiteLibrary(folder: store.path).feeds() } == .newer)
    #expect(await reason { try await later.flush() } == .newer)
    #expect(FileManager.default.contents(atPath: database) == before)
  }

  @Test(arguments: [true, false])
  func `refuses what is not a library and leaves it`(isDatabase: Bool) async throws {
    try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
    if isDatabase {
      try store.execute("CREATE TABLE image(a)")
    } else {
      try Data("This is a text of some length, not a database.".utf8)
        .write(to: URL(fileURLWithPath: database))
    }
    let before = FileManager.default.contents(atPath: database)

    let refusal: StoreError.Reason = isDatabase ? .foreign : .unreadable
    #expect(await reason { _ = try await SQLiteLibrary(folder: store.path).feeds() } == refusal)
    #expect(await reason { try await store.library.flush() } == refusal)
    #expect(FileManager.default.contents(atPath: database) == before)
  }

  @Test func `calls a damaged library unreadable`() async throws {
    try await store.sync((0..<200).map { .sample("\($0)", title: "Title \($0)") })
    try await store.library.flush()
    let file = try #require(FileHandle(forWritingAtPath: database))
    try file.seek(toOffset: 8192)
    try file.write(contentsOf: Data(repeating: 0xAA, count: 200_000))
    try file.close()

    let reader = SQLiteLibrary(folder: store.path)
    #expect(await reason { _ = try await reader.feeds() } == .unreadable)
  }

  @Test func `reads the last commit beside a writer in a transaction`() async throws {
    try await store.sync([.sample("a")])
    let reader = SQLiteLibrary(folder: store.path)
    var titles: [String?] = []

    try store.connection().transaction(.writing) { db in
      try db.run("UPDATE feed SET title = 'changed'")
      titles = try reader.read(FeedQueries.followed).map(\.title)
    }

    #expect(titles == ["Moon"])
    #expect(try await reader.feeds().map(\.title) == ["changed"])
  }

  @Test func `reads one state of the library while it is written`() async throws {
    try await store.sync([.sample("a"), .sample("b")])

    let ids = try await store.library.imageIDs(matching: ImageQuery(order: .feed))
    try await store.sync([.sample("a"), .sample("c"), .sample("b")])
    let images = try await store.library.images(ids: ids)

    #expect(images.map { String($0.originalAddress.text.dropFirst(13)) } == ["a", "b"])
    #expect(try await store.names() == ["a", "c", "b"])
  }

  @Test func `reads a file in a folder that cannot be written, without making one`() async throws {
    try await store.sync([.sample("a")])
    try await store.library.flush()
    let other = store.path + "/a copy? 100%#1"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    let copy = other + "/gallery.sqlite"
    try FileManager.default.copyItem(atPath: database, toPath: copy)

    let address = ReadConnection.immutableAddress(of: copy)
    let driver = try SQLiteDriver(path: address, isReadOnly: true, waiting: 0)
    let feeds: [String] = try Store.Connection(driver).column("SELECT address FROM feed")

    #expect(feeds == [WebAddress.feed.text])
    #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["gallery.sqlite"])
  }

  @Test func `does not take a library that it may not look for for none`() async throws {
    let tooLong = "/" + String(repeating: "a", count: 300)

    #expect(await reason { _ = try await SQLiteLibrary(folder: tooLong).feeds() } == .forbidden)
    let behindFile = await reason {
      _ = try await SQLiteLibrary(folder: "/dev/null/library").feeds()
    }
    #expect(behindFile == .unusablePlace)
  }

  @Test func `reads past no log with changes that the file alone does not have`() async throws {
    try await store.sync([.sample("a")])
    let folder = LibraryFolder(store.path)

    #expect(await reason { try ReadConnection.checkFinished(folder) } == .unfinishedLog)
    try await store.library.flush()
    #expect(await reason { try ReadConnection.checkFinished(folder) } == nil)
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
  func `writes nothing where only the file itself can be written`() async throws {
    try await store.sync([.sample("a")])
    try await store.library.flush()
    chmod(store.path, 0o500)
    defer { chmod(store.path, 0o700) }

    #expect(await reason { try await SQLiteLibrary(folder: store.path).flush() } == .readOnly)
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
  func `reads a library in a folder that cannot be written to`() async throws {
    try await store.sync([.sample("a")])
    try await store.library.flush()
    let copy = store.path + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: database, toPath: copy + "/gallery.sqlite")
    chmod(copy, 0o500)
    defer { chmod(copy, 0o700) }

    #expect(try await SQLiteLibrary(folder: copy).feeds().map(\.address) == [.feed])
  }

  @Test func `leaves an empty log when it has brought all to the disk`() async throws {
    try await store.sync([.sample("a")])
    let before = FileSystem.size(of: database + "-wal") ?? 0

    try await store.library.flush()

    #expect(before > 0)
    #expect(FileSystem.size(of: database + "-wal") == 0)
  }

  @Test func `brings all to the disk though a reader keeps the log`() async throws {
    try await store.sync([.sample("a")])

    let reader = try OpenReader(of: store)
    try await store.sync([.sample("b")])
    try await store.library.flush()
    try reader.close()
    #expect((FileSystem.size(of: database + "-wal") ?? 0) > 0)
  }

  @Test func `says that another process kept the lock too long`() throws {
    let error = SQLiteError(SQLITE_BUSY, "database is locked", "")
    let full = SQLiteError(SQLITE_FULL, "database or disk is full", "")
    let readOnly = SQLiteError(SQLITE_READONLY, "read-only", "")

    #expect(
      StoreError(error, path: "/p")
        == StoreError(reason: .busy, path: "/p", message: "another program uses it")
    )
    #expect(StoreError(full, path: "/p").reason == .full)
    #expect(StoreError(readOnly, path: "/p").reason == .readOnly)
    #expect(StoreError(errno: ENOSPC, path: "/p").reason == .full)
    #expect(StoreError(errno: EROFS, path: "/p").reason == .readOnly)
  }
}
