import CSQLite
import Foundation
import TestSupport
import Testing
import Workers

@testable import SQLiteCache
@testable import Store

struct FileVersionTests {
  /// A writer that makes the first tables when a reader begins its second statement: each table of a PRAGMA runs one.
  private final class Writer {
    let connection: Connection
    var statements = 0

    init(_ file: String) throws {
      connection = try .file(file)
      try connection.execute("PRAGMA journal_mode = WAL")
    }

    func noteStatement() {
      statements += 1
      guard statements == 2 else { return }
      #expect(throws: Never.self) { try SchemaSetup.migrate(connection) }
    }
  }

  @Test func `a file whose first tables are made meanwhile is empty or ours, never foreign`() throws
  {
    let folder = try ScratchFolder()
    let file = folder.path + "/gallery.sqlite"
    let writer = try Writer(file)
    let reader = try Connection.file(file)
    let context = Unmanaged.passUnretained(writer).toOpaque()
    // sqlite.org/c3ref/trace_v2.html
    sqlite3_trace_v2(
      reader.sqlite.handle,
      UInt32(SQLITE_TRACE_STMT),
      { _, context, _, _ in
        guard let context else { return 0 }
        Unmanaged<Writer>.fromOpaque(context).takeUnretainedValue().noteStatement()
        return 0
      },
      context
    )

    let version = try FileVersion(reader)

    #expect(version == .empty)
    #expect(writer.statements >= 2)
  }

  @Test(arguments: ["place INTEGER, change_seq INTEGER", "position INTEGER NOT NULL"])
  func `a file of a development version is neither damaged nor foreign`(columns: String) throws {
    let folder = try ScratchFolder()
    let file = folder.path + "/gallery.sqlite"
    let connection = try Connection.file(file)
    try connection.execute(
      """
      CREATE TABLE image (id INTEGER PRIMARY KEY, \(columns)) STRICT;
      PRAGMA application_id = \(Schema.applicationID);
      PRAGMA user_version = 6;
      """
    )

    #expect(try FileVersion(connection) == .early)
    #expect(throws: StoreError(reason: .older, path: file, message: "")) {
      try FileVersion(connection).check(path: file)
    }
  }

  @Test(arguments: [1, 11, Schema.migrations.count])
  func `an unfinished copy that an older program has begun is taken up`(version: Int) async throws {
    let (origin, copy) = (
      try StoreBehaviourTests.Subject(.sqlite), try StoreBehaviourTests.Subject(.sqlite)
    )
    try await origin.sync([.sample("a", id: "a")])
    try FileManager.default.createDirectory(
      atPath: copy.files.path,
      withIntermediateDirectories: true
    )
    let connection = try Connection.file(copy.files.path + "/gallery.sqlite")
    try SchemaSetup.migrate(connection, Array(Schema.migrations.prefix(version)))
    try connection.execute("PRAGMA application_id = \(Schema.unfinishedID)")

    try await origin.copy(to: copy)

    #expect(try await copy.reopened().images() == origin.images())
  }

  @Test func `an unfinished copy that a later program has begun stays as it is`() async throws {
    let (origin, copy) = (
      try StoreBehaviourTests.Subject(.sqlite), try StoreBehaviourTests.Subject(.sqlite)
    )
    try await origin.sync([.sample("a", id: "a")])
    try FileManager.default.createDirectory(
      atPath: copy.files.path,
      withIntermediateDirectories: true
    )
    let connection = try Connection.file(copy.files.path + "/gallery.sqlite")
    try SchemaSetup.migrate(connection)
    try connection.execute(
      """
      PRAGMA application_id = \(Schema.unfinishedID);
      PRAGMA user_version = \(Schema.version + 1);
      """
    )

    await #expect { try await origin.copy(to: copy) } throws: {
      ($0 as? StoreError)?.reason == .newer
    }
    #expect(try FileVersion(connection) == .unfinished)
  }

  @Test(arguments: [(0, 0, true), (0, 7, false), (5, 0, false)])
  func `a file that SQLite's program wrote from our tables is known by them`(
    _ id: Int,
    _ version: Int,
    _ isKnown: Bool
  ) throws {
    let folder = try ScratchFolder()
    let file = folder.path + "/gallery.sqlite"
    let connection = try Connection.file(file)
    try SchemaSetup.migrate(connection)
    try connection.execute("PRAGMA application_id = \(id); PRAGMA user_version = \(version)")

    #expect(try FileVersion(connection) == (isKnown ? .unnumbered : .foreign))
    let error = #expect(throws: StoreError.self) { try FileVersion(connection).check(path: file) }
    #expect(error?.reason == (isKnown ? .unreadable : .foreign))
  }
}
