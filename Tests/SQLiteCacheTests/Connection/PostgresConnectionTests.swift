import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import PostgresStore

struct PostgresConnectionTests {
  private func parameters(_ address: String) throws -> [String: String] {
    let address = try #require(PostgresAddress(address))
    return Dictionary(try address.parameters().map { ($0.keyword, $0.value) }) { $1 }
  }

  @Test(arguments: [
    "postgresql://db.example/photos", "postgresql://me@10.1.2.3:5433/photos",
    "postgresql:///photos?host=db.example", "postgresql://localhost,db.example/photos",
  ])
  func `over the network, the certificate of the server is checked`(address: String) throws {
    #expect(try parameters(address)["sslmode"] == "verify-full")
  }

  @Test(arguments: [
    "postgresql:///photos", "postgresql://%2Frun%2Fpostgresql/photos", "postgresql://localhost/p",
    "postgresql://127.0.0.1:5433/p", "postgresql://db.example/p?sslmode=require",
  ])
  func `on this machine, or when the address says so, libpq decides`(address: String) throws {
    #expect(try parameters(address)["sslmode"] == nil)
  }

  @Test func `the certificate of a server must be one that is trusted, and for its name`()
    async throws
  {
    func connect(_ certificate: LoopbackCertificate, _ root: String) async throws -> StoreError? {
      let server = try PostgresServer(certificate: certificate)
      let place = "postgresql://gallery@127.0.0.1:\(server.port)/postgres"
      let address = try #require(PostgresAddress("\(place)?sslmode=verify-full\(root)"))
      let library = PostgresLibrary(address, folder: "/nowhere")
      do { _ = try await library.feeds() } catch { return error }
      return nil
    }
    let trusted = "&sslrootcert=\(LoopbackCertificate.authorityFile)"

    // The database has no tables yet.
    #expect(try await connect(.valid, trusted)?.reason == .noLibrary)
    let system = "&sslrootcert=/etc/ssl/certs/ca-certificates.crt"
    let unknown = try await connect(.valid, system)
    #expect(unknown?.reason == .databaseUnreachable)
    #expect(unknown?.message.contains("certificate verify failed") == true)
    let other = try await connect(.ofAnotherHost, trusted)
    #expect(other?.reason == .databaseUnreachable)
    #expect(other?.message.contains("does not match") == true)
  }

  @Test func `a folder is not the address of a database`() {
    #expect(PostgresAddress("/photos") == nil)
    #expect(PostgresAddress("postgresql") == nil)
    #expect(PostgresAddress("https://example.org/") == nil)
  }

  @Test
  func
    `a server that is not there, and an address that cannot be read, are said without the password`()
    async throws
  {
    for text in [
      "postgresql://me:hunter2@127.0.0.1:1/p", "postgresql://me:hunter2@127.0.0.1:1/p?nonsense=1",
    ] {
      let address = try #require(PostgresAddress(text))
      let library = PostgresLibrary(address, folder: "/nowhere")
      let error = await #expect(throws: StoreError.self) { try await library.feeds() }
      let said = "\(try #require(error))"
      #expect(!said.contains("hunter2"))
      #expect(said.contains("127.0.0.1:1/p"))
    }
  }

  @Test func `a library of a later version is neither read nor written`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    _ = try await database.library.writing { db in
      try db.run("UPDATE library SET schema_version = 99")
    }

    for isWriting in [false, true] {
      await #expect {
        let library = database.reopened()
        if isWriting {
          _ = try await library.setPinned(true, imageIDs: [1])
        } else {
          _ = try await library.feeds()
        }
      } throws: { error in
        (error as? StoreError)?.reason == .newer
      }
    }
  }

  @Test func `values come back as they were, arrays, bytes and texts with any character in them`()
    async throws
  {
    let database = try TemporaryDatabase(isNew: true)
    let texts: [String?] = ["", "a'b\"\\ {},", nil, "NULL", "東京\n\t"]
    let bytes: [UInt8] = Array(0...255)

    let found = try await database.library.writing { db in
      let row = try #require(
        try db.rows(
          """
          SELECT $1::bigint, $2::text, $3::boolean, $4::bytea, array_length($5::text[], 1)::bigint,
            ($5::text[])[2], ($5::text[])[3], ($5::text[])[5], $6::bigint[] = '{}', $7::bigint
          """,
          Int64.min,
          "a\0b",
          true,
          Bytes(bytes),
          texts,
          [Int64](),
          nil as Int64?
        ).first
      )
      #expect(try row.value(0) == Int64.min)
      #expect(try row.value(1) == "ab")
      #expect(try row.value(2) == true)
      #expect(try (row.value(3) as Bytes).bytes == bytes)
      #expect(try row.value(4) == 5)
      #expect(try row.value(5) == texts[1])
      #expect(try row.value(6) as String? == nil)
      #expect(try row.value(7) == texts[4])
      #expect(try row.value(8) == true)
      return try row.value(9) as Int64?
    }
    #expect(found == nil)
  }

  @Test func `a connection that the server ends is opened again`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    let library = database.library
    _ = try await library.writing { db in try db.rows("SELECT 1").count }
    let sql = "SELECT pg_terminate_backend(pg_backend_pid())"
    await #expect(throws: StoreError.self) {
      try await library.reading { db in try db.rows(sql).count }
    }

    #expect(try await library.feeds() == [])
  }

  @Test func `a library of a later version is left alone`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    _ = try await database.library.writing { db in
      try db.run("UPDATE library SET schema_version = 99")
    }
    let address = try PostgresServer.shared.get().address(schema: database.schema)
    let other = PostgresLibrary(try #require(PostgresAddress(address)), folder: "/nowhere")

    let error = await #expect(throws: StoreError.self) {
      try await other.setPinned(true, imageIDs: [1])
    }

    #expect(error?.reason == .newer)
  }

  @Test func `on another server, clients compare everything, and numbers are of the new epoch`()
    async throws
  {
    let database = try TemporaryDatabase(isNew: true)
    let address = try PostgresServer.shared.get().address(schema: database.schema)
    func library() throws -> PostgresLibrary {
      PostgresLibrary(try #require(PostgresAddress(address)), folder: "/nowhere")
    }
    let before = try await database.library.writing { db in
      try db.run("INSERT INTO tombstone VALUES (1, 7, 9000000000, 0)")
      try db.run("UPDATE library SET server = 'another'")
      return try db.rows("SELECT epoch FROM library").first?.value(0) as Int64?
    }

    _ = try await library().setPinned(true, imageIDs: [])
    try await database.settle()
    let version = try await library().version()
    _ = try await library().setPinned(true, imageIDs: [])

    #expect(version.epoch == before.map { $0 + 1 })
    #expect(version.number == 9_000_000_000)
    #expect(try await library().version().epoch == version.epoch)
    let next = try await library().writing { db in
      try db.rows("SELECT next_change()").first?.value(0) as Int64?
    }
    #expect(try #require(next) >= version.epoch * LibraryVersion.numbersOfEpoch)
  }

  @Test func `on another server, readers see the next epoch before anything is written`()
    async throws
  {
    let database = try TemporaryDatabase()
    _ = try await database.library.setPinned(true, imageIDs: [])
    let before = try await database.library.version().epoch
    try PostgresServer.shared.get().execute(
      "UPDATE \(database.schema).library SET server = 'another'"
    )

    #expect(try await database.library.version().epoch == before + 1)
    let library = database.reopened()
    _ = try await library.setPinned(true, imageIDs: [])
    #expect(try await library.version().epoch == before + 1)
  }

  @Test func `on another server, the ids of the missing images are not given again`() async throws {
    let database = try TemporaryDatabase()
    func added(_ library: PostgresLibrary, _ address: WebAddress) async throws -> (Int64, Int64) {
      let writer = FeedWriter(library, feedAt: address, reach: nil, now: .first)
      try await writer.append([.sample("a")])
      _ = try await writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: true)
      let image = try await library.writing { db in
        try db.rows("SELECT max(id), max(feed_id) FROM image").first
          .map { try ($0.value(0) as Int64, $0.value(1) as Int64) }
      }
      return try #require(image)
    }
    #expect(try await added(database.library, .feed) == (1, 1))
    // The next transactions are lost with their server.
    try PostgresServer.shared.get().execute(
      "UPDATE \(database.schema).library SET server = 'another'"
    )

    let (image, feed) = try await added(database.reopened(), .address("https://b.example/"))

    #expect(image > 1_000_000 && feed > 1_000_000)
  }

  @Test func `a process whose connection comes to another server notices it`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    try await database.library.writing { _ in }
    let before = try await database.library.version().epoch
    try PostgresServer.shared.get().execute(
      """
      UPDATE \(database.schema).library SET server = 'another';
      SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE pid IN (
        SELECT pid FROM pg_locks WHERE locktype = 'advisory'
          AND objid = '\(database.schema).library'::regclass
      )
      """
    )

    _ = try await database.library.setPinned(true, imageIDs: [])

    #expect(try await database.library.version().epoch == before + 1)
  }

  @Test func `a dump that was restored on the same server is another state`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    try await database.library.writing { _ in }
    let before = try await database.library.version().epoch
    // `pg_restore --clean` also creates the tables again.
    try PostgresServer.shared.get().execute(
      """
      SET search_path = \(database.schema);
      CREATE TABLE dumped AS SELECT * FROM library;
      DROP TABLE library;
      ALTER TABLE dumped RENAME TO library
      """
    )
    let library = database.reopened()

    for _ in 1...2 { _ = try await library.setPinned(true, imageIDs: []) }

    #expect(try await library.version().epoch == before + 1)
  }

  private func lock(_ feed: WebAddress, by library: PostgresLibrary) async throws -> FeedLock? {
    guard case .taken(let lock) = try await library.lockFeed(at: feed, now: .first) else {
      return nil
    }
    return lock
  }

  private func other(_ database: TemporaryDatabase) throws -> PostgresLibrary {
    let address = try PostgresServer.shared.get().address(schema: database.schema)
    return PostgresLibrary(try #require(PostgresAddress(address)), folder: "/nowhere")
  }

  @Test func `processes that want one host never wait for each other`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    try await database.library.writing { _ in }
    let feeds = ["https://a.example/1", "https://a.example/2"].map(WebAddress.address)

    try await withThrowingTaskGroup { group in
      for _ in 1...4 {
        let library = try other(database)
        group.addTask {
          for _ in 1...150 {
            // The second lock places the host's row after the row of the first feed.
            let first = try await lock(feeds[0], by: library)
            let second = try await lock(feeds[1], by: library)
            second?.release()
            first?.release()
          }
          // A library releases its locks in order, so this lock waits for the last release.
          _ = try await lock(.address("https://b.example/"), by: library)
        }
      }
      try await group.waitForAll()
    }

    // A lock that was not released would last for two minutes.
    #expect(try await lock(feeds[0], by: database.library) != nil)
  }

  @Test func `a lock of a feed is its host's, too, for all processes`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    let (library, other) = (database.library, try other(database))
    let feeds = ["https://a.example/1", "https://a.example/2", "https://b.example/1"]
      .map(WebAddress.address)

    let first = try await lock(feeds[0], by: library)
    let second = try await lock(feeds[1], by: library)
    #expect(first != nil && second != nil)
    #expect(try await lock(feeds[0], by: library) == nil)
    #expect(try await lock(feeds[0], by: other) == nil)
    #expect(try await lock(feeds[1], by: other) == nil)
    #expect(try await lock(feeds[2], by: other) != nil)
    first?.release()
    // The second lock still holds the host's row.
    #expect(try await lock(feeds[0], by: other) == nil)
    second?.release()
    _ = try await lock(.address("https://c.example/"), by: library)
    #expect(try await lock(feeds[0], by: other) != nil)
  }

  @Test func `a pause of a host is as long for machines with another time`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    try database.library.notePause(of: "a", until: Date(timeIntervalSinceNow: 60))
    let server = try PostgresServer.shared.get()
    try server.execute(
      """
      CREATE OR REPLACE FUNCTION \(database.schema).now_seconds() RETURNS bigint LANGUAGE sql AS
      'SELECT extract(epoch FROM now())::bigint + 300'
      """
    )
    #expect(try database.library.pause(of: "a")?.timeIntervalSinceNow ?? 0 < 0)

    try database.library.notePause(of: "b", until: Date(timeIntervalSinceNow: 60))

    let left = try #require(try other(database).pause(of: "b")?.timeIntervalSinceNow)
    #expect((0.0...63.0).contains(left), "\(left)")
    let isStored = try await database.library.writing { db in
      try db.rows("SELECT paused_until > extract(epoch FROM now()) + 300 FROM host").first?.value(0)
        as Bool?
    }
    #expect(isStored == true)
  }

  @Test func `the clock of the server is that of all machines`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    try await database.library.writing { _ in }
    #expect(abs(database.library.now().timeIntervalSinceNow) < 60)

    // A server whose clock is an hour ahead tells it with the lock of a feed.
    database.library.noteTime(ofServer: Date().timeIntervalSince1970 + 3_600, asked: Date())
    #expect(abs(database.library.now().timeIntervalSinceNow - 3_600) < 60)
    let held = try await lock(.feed, by: database.library)

    #expect(held != nil)
    #expect(abs(database.library.now().timeIntervalSinceNow) < 60)
  }

  @Test func `a server that answers late has the same time nevertheless`() throws {
    let database = try TemporaryDatabase()
    let library = database.library
    func lead(_ seconds: Double, askedAt start: Double) -> Double {
      let now = Date()
      library.noteTime(ofServer: now.timeIntervalSince1970 + seconds, asked: now + start)
      return library.now().timeIntervalSince(now)
    }

    #expect(lead(-300, askedAt: -600) < 60)
    #expect(lead(-300, askedAt: -600) >= 0)
    #expect((-310...(-200)).contains(lead(-900, askedAt: -600)))
    #expect((3_500...3_660).contains(lead(3_600, askedAt: -600)))
  }

  @Test func `the lock of a process that has ended is free at once`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    let feed = WebAddress.address("https://a.example/1")
    let held = try await lock(feed, by: database.library)
    #expect(held != nil)
    let session = try await database.library.locking { db in
      try db.rows("SELECT pg_backend_pid()").first?.value(0) ?? 0 as Int64
    }
    let other = try other(database)
    // A machine with much to do may take longer than a lease to come here.
    _ = try await other.writing { db in
      try db.run("UPDATE feed_lock SET leased_until = now_seconds() + 600")
    }
    #expect(try await lock(feed, by: other) == nil)
    #expect(held != nil)

    // The server sees the same when the process ends.
    try PostgresServer.shared.get().execute("SELECT pg_terminate_backend(\(session), 600000)")

    #expect(try await lock(feed, by: other) != nil)
  }

  @Test func `after another server has taken over, a lock holds until its lease ends`() async throws
  {
    let database = try TemporaryDatabase(isNew: true)
    let feed = WebAddress.address("https://a.example/1")
    let held = try await lock(feed, by: database.library)
    let other = try other(database)
    func change(_ column: String) async throws {
      _ = try await other.writing { db in try db.run("UPDATE feed_lock SET \(column)") }
    }

    // A machine with much to do may take longer than a lease to come here.
    let lease = "leased_until = now_seconds() + 600"
    try await change("timeline = 'before', session = 0, \(lease)")
    #expect(try await lock(feed, by: other) == nil)
    try await change("leased_until = now_seconds() - 1")
    #expect(try await lock(feed, by: other) != nil)
    #expect(held != nil)
  }

  @Test func `who has lost a feed to another process writes nothing of it any more`() async throws {
    let database = try TemporaryDatabase(isNew: true)
    let held = try await lock(.feed, by: database.library)
    let writer = FeedWriter(database.library, feedAt: .feed, reach: nil, now: .first)
    try await writer.append([.sample("a")])
    _ = try await database.library.writing { db in
      try db.run("UPDATE feed_lock SET leased_until = 0")
    }
    #expect(try await lock(.feed, by: try other(database)) != nil)

    let error = await #expect(throws: StoreError.self) {
      try await writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: true)
    }

    #expect(error?.message.contains("taken the feed over") == true)
    #expect(held != nil)
  }
}

struct PostgresErrorTests {
  // 42P05 is duplicate_prepared_statement, and 26000 invalid_sql_statement_name.
  @Test(arguments: ["42P05", "26000"])
  func `an error that only a pooler causes says what to set`(state: String) {
    let error = PostgresError("prepared statement \"s0\" …", state: state).storeError("db")

    #expect(error.message.contains("pool_mode = session"))
    #expect(error.reason == .other)
  }

  @Test(arguments: ["42P01", "42P07", "42501", "40001", "XX001", "08006", ""])
  func `another error says what the server says`(state: String) {
    let error = PostgresError("as it is", state: state).storeError("db")

    #expect(error.message == "as it is")
  }
}
