import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

struct SchemaTests {
  private let store: TemporaryLibrary

  init() async throws {
    store = try TemporaryLibrary()
    try await store.sync([.sample("a")])
  }

  private func pragma(_ name: String) throws -> String? {
    try store.connection().row("PRAGMA \(name)") { row in
      try (try? row.value(0) as String) ?? "\(row.value(0) as Int64)"
    }
  }

  @Test func `says whose file it is and how far it has been migrated`() throws {
    #expect(try pragma("application_id") == "\(Schema.applicationID)")
    #expect(try pragma("user_version") == "\(Schema.version)")
    #expect(try pragma("journal_mode") == "wal")
    #expect(try pragma("auto_vacuum") == "2")
    #expect(try pragma("page_size") == "8192")
    #expect(try pragma("integrity_check") == "ok")
  }

  @Test func `runs no migration twice`() async throws {
    let again = SQLiteLibrary(folder: store.path)
    try await again.flush()

    #expect(try await again.feeds().map(\.id) == [1])
  }

  @Test func `a second migration runs on a file that has seen the first, and only once`() throws {
    let migrations = Schema.migrations + [.init(tables: "CREATE TABLE second(id INTEGER);")]
    let connection = try store.connection()
    for _ in 1...2 { try SchemaSetup.migrate(connection, migrations) }

    #expect(try store.numbers("SELECT count(*) FROM second") == [0])
    #expect(try pragma("user_version") == "\(migrations.count)")
  }

  /// A later migration adds only tables; a column would be missing here.
  @Test func `a file of the first version is read, and not changed`() async throws {
    try store.makeFirstVersion()

    let reader = SQLiteLibrary(folder: store.path)

    #expect(try await reader.feeds().map(\.id) == [1])
    #expect(try await reader.images(matching: ImageQuery()).count == 1)
    #expect(try await reader.followedFolders() == [])
    #expect(try await reader.figures().images == 1)
    #expect(try pragma("user_version") == "1")
    #expect(
      try store.numbers("SELECT count(*) FROM sqlite_schema WHERE name = 'original_use'") == [0]
    )
  }

  @Test func `gives deleted pages back to the file system`() async throws {
    try await store.sync(
      (0..<500).map { .sample("\($0)", caption: String(repeating: "x", count: 2_000)) }
    )
    let before = try pragma("page_count").flatMap(Int.init) ?? 0

    _ = try await store.library.removeFeed(id: 1, purging: true)

    #expect(try pragma("freelist_count") == "0")
    #expect(try pragma("page_count").flatMap(Int.init) ?? 0 < before / 2)
  }
}
