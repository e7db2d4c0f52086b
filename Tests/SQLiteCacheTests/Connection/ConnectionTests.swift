import Foundation
import GRDB
import Glibc
import Models
import Testing
import Workers

@testable import SQLiteCache

struct ConnectionTests {
  private let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  private var database: String { store.path + "/gallery.sqlite" }

  private func reason(_ body: () throws -> Void) -> StoreError.Reason? {
    do { try body() } catch { return (error as? StoreError)?.reason }
    return nil
  }

  @Test func `says that there is no library, and makes none`() throws {
    let reader = SQLiteReader(folder: store.path)

    #expect(reason { _ = try reader.feeds() } == .noLibrary)
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `says that there is no library in a file that was only just made`() throws {
    try FileManager.default.createDirectory(
      atPath: store.path,
      withIntermediateDirectories: true
    )
    #expect(FileManager.default.createFile(atPath: database, contents: nil))

    #expect(reason { _ = try SQLiteReader(folder: store.path).feeds() } == .noLibrary)
  }

  @Test func `finds a library that was made after the first question`() throws {
    let reader = SQLiteReader(folder: store.path)
    #expect(reason { _ = try reader.feeds() } == .noLibrary)
    try store.sync([.sample("a")])

    #expect(try reader.feeds().map(\.id) == [1])
  }

  @Test func `refuses a library of a later version and leaves it`() throws {
    try store.sync([.sample("a")])
    try store.library.flush()
    try store.connection().writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let before = FileManager.default.contents(atPath: database)
    let later = SQLiteLibrary(folder: store.path)

    #expect(reason { _ = try SQLiteReader(folder: store.path).feeds() } == .newer)
    #expect(reason { try later.flush() } == .newer)
    #expect(FileManager.default.contents(atPath: database) == before)
  }

  @Test(arguments: [true, false])
  func `refuses what is no library and leaves it`(isDatabase: Bool) throws {
    try FileManager.default.createDirectory(atPath: store.path, withIntermediateDirectories: true)
    if isDatabase {
      try DatabaseQueue(path: database).write { db in try db.execute(sql: "CREATE TABLE image(a)") }
    } else {
      try Data("This is a text of some length, not a database.".utf8)
        .write(to: URL(fileURLWithPath: database))
    }
    let before = FileManager.default.contents(atPath: database)

    let refusal: StoreError.Reason = isDatabase ? .foreign : .unreadable
    #expect(reason { _ = try SQLiteReader(folder: store.path).feeds() } == refusal)
    #expect(reason { try store.library.flush() } == refusal)
    #expect(FileManager.default.contents(atPath: database) == before)
  }

  @Test func `calls a damaged library unreadable`() throws {
    try store.sync((0..<200).map { .sample("\($0)", title: "Title \($0)") })
    try store.library.flush()
    let file = try #require(FileHandle(forWritingAtPath: database))
    try file.seek(toOffset: 8192)
    try file.write(contentsOf: Data(repeating: 0xAA, count: 200_000))
    try file.close()

    let reader = SQLiteReader(folder: store.path)
    #expect(reason { _ = try reader.feeds() } == .unreadable)
  }

  @Test func `reads the last commit beside a writer in a transaction`() throws {
    try store.sync([.sample("a")])
    let reader = SQLiteReader(folder: store.path)
    var titles: [String?] = []

    try store.connection().inTransaction(.exclusive) { db in
      try db.execute(sql: "UPDATE feed SET title = 'changed'")
      titles = try reader.feeds().map(\.title)
      return .commit
    }

    #expect(titles == ["Moon"])
    #expect(try reader.feeds().map(\.title) == ["changed"])
  }

  @Test func `reads one state of the library while it is written`() throws {
    try store.sync([.sample("a"), .sample("b")])
    var names: [String] = []

    try store.library.readImages(matching: ImageQuery(order: .feed), batchSize: 1) { batch in
      names += batch.map { String($0.originalAddress.text.dropFirst(13)) }
      if names.count == 1 { _ = try? store.sync([.sample("a"), .sample("c"), .sample("b")]) }
      return true
    }

    #expect(names == ["a", "b"])
    #expect(try store.names() == ["a", "c", "b"])
  }

  @Test func `reads a file that nobody can write beside, without making one`() throws {
    try store.sync([.sample("a")])
    try store.library.flush()
    let other = store.path + "/a copy? 100%#1"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    let copy = other + "/gallery.sqlite"
    try FileManager.default.copyItem(atPath: database, toPath: copy)

    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(
      path: ReadConnection.immutableAddress(of: copy),
      configuration: configuration
    )
    let feeds = try queue.read(FeedQueries.followed)

    #expect(feeds.map(\.address) == [.feed])
    #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["gallery.sqlite"])
  }

  @Test func `does not take a library that it may not look for for none`() throws {
    let tooLong = "/" + String(repeating: "a", count: 300)

    #expect(reason { _ = try SQLiteReader(folder: tooLong).feeds() } == .forbidden)
    #expect(reason { _ = try SQLiteReader(folder: "/dev/null/library").feeds() } == .other)
  }

  @Test func `reads past no log with changes that the file alone does not have`() throws {
    try store.sync([.sample("a")])
    let folder = LibraryFolder(store.path)

    #expect(reason { try ReadConnection.checkFinished(folder) } == .unfinishedLog)
    try store.library.flush()
    #expect(reason { try ReadConnection.checkFinished(folder) } == nil)
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
  func `writes nothing where only the file itself can be written`() throws {
    try store.sync([.sample("a")])
    try store.library.flush()
    chmod(store.path, 0o500)
    defer { chmod(store.path, 0o700) }

    #expect(reason { try SQLiteLibrary(folder: store.path).flush() } == .readOnly)
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
  func `reads a library in a folder that cannot be written to`() throws {
    try store.sync([.sample("a")])
    try store.library.flush()
    let copy = store.path + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: database, toPath: copy + "/gallery.sqlite")
    chmod(copy, 0o500)
    defer { chmod(copy, 0o700) }

    #expect(try SQLiteReader(folder: copy).feeds().map(\.address) == [.feed])
  }

  @Test func `leaves an empty log when it has brought all to the disk`() throws {
    try store.sync([.sample("a")])
    let before = FileSystem.size(of: database + "-wal") ?? 0

    try store.library.flush()

    #expect(before > 0)
    #expect(FileSystem.size(of: database + "-wal") == 0)
  }

  @Test func `moves the log into the file before the end, and goes on writing`() throws {
    try store.sync([.sample("a")])

    store.library.prepareFlush()
    let copy = store.path + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: database, toPath: copy + "/gallery.sqlite")
    try store.sync([.sample("a"), .sample("b")])

    #expect(try SQLiteReader(folder: copy).feeds().map(\.documentImageCount) == [1])
    #expect(try store.names() == ["a", "b"])
  }

  @Test func `leaves to the end what it cannot bring to the disk before`() throws {
    try store.sync([.sample("a")])
    let reader = SQLiteReader(folder: store.path)

    try reader.readImages(matching: ImageQuery(), batchSize: 1) { _ in
      _ = reason {
        try store.sync([.sample("a"), .sample("b")])
        store.library.prepareFlush()
      }
      return true
    }
    try store.library.flush()

    #expect(FileSystem.size(of: database + "-wal") == 0)
    #expect(try store.names() == ["a", "b"])
  }

  @Test func `brings all to the disk though a reader keeps the log`() throws {
    try store.sync([.sample("a")])
    let reader = SQLiteReader(folder: store.path)
    var failure: StoreError.Reason?

    try reader.readImages(matching: ImageQuery(), batchSize: 1) { _ in
      failure = reason {
        try store.sync([.sample("b")])
        try store.library.flush()
      }
      return true
    }

    #expect(failure == nil)
    #expect((FileSystem.size(of: database + "-wal") ?? 0) > 0)
  }

  @Test func `says that another process kept the lock too long`() throws {
    let error = DatabaseError(resultCode: .SQLITE_BUSY, message: "database is locked")
    let full = DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")
    let readOnly = DatabaseError(resultCode: .SQLITE_READONLY, message: "read-only")

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
