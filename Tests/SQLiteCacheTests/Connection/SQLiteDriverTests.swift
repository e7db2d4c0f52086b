import Models
import TestSupport
import Testing

@testable import Store

struct SQLiteDriverTests {
  private let db: Connection

  init() throws { db = Connection(try SQLiteDriver(path: "", waiting: 0)) }

  @Test func `values come back as they were, the empty ones, too`() throws {
    let hash = try #require(SHA256Digest(bytes: Array(1...32)))
    let (none, bytes): ([UInt8], [UInt8]) = ([], [0, 255])
    func check(_ row: Row) throws -> Bool {
      #expect(try row.value(0) == Int64.min)
      #expect(try row.value(1) == true)
      #expect(try row.value(2) == 0.5)
      #expect(try row.value(3) == "é\u{0}x")
      #expect(try row.value(4) == "")
      #expect(try (row.value(5) as Bytes).bytes == none)
      #expect(try (row.value(6) as Bytes).bytes == bytes)
      #expect(row.hash(7) == hash)
      #expect(try row.value(8) as Int? == nil)
      return true
    }

    let found = try db.row(
      "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9",
      Int64.min,
      true,
      0.5,
      "é\u{0}x",
      "",
      Bytes(none),
      Bytes(bytes),
      hash,
      Int?.none,
      element: check
    )

    #expect(found == true)
  }

  @Test func `a value that is NULL or of another type is an error`() throws {
    func check(_ row: Row) throws -> Bool {
      #expect(throws: UnexpectedAnswer.self) { try row.value(0) as Int64 }
      #expect(throws: UnexpectedAnswer.self) { try row.value(1) as Int64? }
      #expect(throws: UnexpectedAnswer.self) { try row.value(2) as String? }
      #expect(throws: UnexpectedAnswer.self) { try row.value(3) as Bool? }
      #expect(throws: UnexpectedAnswer.self) { try row.value(1) as Bytes? }
      #expect(throws: UnexpectedAnswer.self) { try row.value(1) as Double? }
      #expect(row.hash(3) == nil)
      return true
    }

    #expect(try db.row("SELECT NULL, 'one', 1, x'01'", element: check) == true)
  }

  @Test func `parameters have the values of their numbers, in any order`() throws {
    let found = try db.row("SELECT $2, $1, $2 || $3", "a", "b", "c") { row in
      try (0...2).map { try row.value($0) as String }
    }

    #expect(found == ["b", "a", "bc"])
  }

  @Test func `a parameter without a number has the next one`() throws {
    #expect(try db.value("SELECT ?1 || ?1 || ?", "a", "b") == "aab")
  }

  @Test func `a function gets texts, and nil for all else`() throws {
    try db.sqlite.add(function: "first_text") { $0 ?? $1 ?? $2 }

    #expect(try db.value("SELECT first_text(1, 'é', NULL)") == "é")
    #expect(try db.value("SELECT first_text(1, '', NULL)") == "")
    #expect(try db.value("SELECT first_text(1, x'61', NULL) IS NULL") == true)
  }

  @Test func `a statement has as many values as parameters, and no cast`() throws {
    #expect(throws: SQLiteError.self) { try db.run("SELECT $1, $2", 1) }
    #expect(throws: SQLiteError.self) { try db.run("SELECT $1, $2", 1, 2, 3) }
    #expect(throws: SQLiteError.self) { try db.run("SELECT $1::bigint", 1) }
  }

  @Test func `a list is all of its integers`() throws {
    try db.run("CREATE TABLE t (a)")
    for number in 1...4 { try db.run("INSERT INTO t VALUES ($1)", number) }

    let sql = "SELECT a FROM t WHERE a \(db.dialect.ids(1)) ORDER BY a"
    #expect(try db.column(sql, [2, 4, 9] as [Int64]) == [2, 4] as [Int64])
    #expect(try db.column(sql, [Int64]()) == [] as [Int64])
    let others = "SELECT a FROM t WHERE a \(db.dialect.notIDs(1)) ORDER BY a"
    #expect(try db.column(others, [2, 4] as [Int64]) == [1, 3] as [Int64])
  }

  @Test func `a statement tells how many rows it has written`() throws {
    try db.run("CREATE TABLE t (a UNIQUE)")
    #expect(try db.run("INSERT INTO t VALUES (1), (2)") == 2)
    #expect(try db.run("INSERT INTO t VALUES (2) ON CONFLICT DO NOTHING") == 0)
    #expect(try db.run("SELECT a FROM t") == 0)
    #expect(try db.column("DELETE FROM t RETURNING a") == [1, 2] as [Int64])
  }

  @Test func `a statement may run again while its rows are read`() throws {
    let sql = "SELECT value FROM json_each($1)"
    let pairs = try db.rows(sql, "[1, 2]") { outer in
      try db.rows(sql, "[3, 4]") { inner in
        try [outer.value(0) as Int, inner.value(0) as Int]
      }
    }

    #expect(pairs == [[[1, 3], [1, 4]], [[2, 3], [2, 4]]])
  }

  @Test func `a statement can be run after an error`() throws {
    try db.run("CREATE TABLE t (a UNIQUE)")
    let sql = "INSERT INTO t VALUES ($1)"
    try db.run(sql, 1)
    let error = #expect(throws: SQLiteError.self) { try db.run(sql, 1) }
    try db.run(sql, 2)

    // SQLITE_CONSTRAINT_UNIQUE
    #expect(error?.code == 2067)
    #expect(try db.value("SELECT count(*) FROM t") == 2)
  }

  @Test func `a statement has the values of one run only, after an error, too`() throws {
    try db.run("CREATE TABLE t (a UNIQUE, b, c)")
    let sql = "INSERT INTO t VALUES ($1, $2, $3)"
    try db.run(sql, 1, "one", Int?.none)
    try db.run(sql, Int?.none, String?.none, 2)
    #expect(throws: SQLiteError.self) { try db.run(sql, 1, "again", "more") }
    try db.run(sql, Int?.none, "three", Int?.none)

    let rows: [String] = try db.column("SELECT quote(a) || quote(b) || quote(c) FROM t")
    #expect(rows == ["1'one'NULL", "NULLNULL2", "NULL'three'NULL"])
  }

  @Test func `a connection that goes closes its file, although it has compiled statements`() throws
  {
    let folder = try ScratchFolder()
    let path = folder.path + "/file"
    func other() throws -> Connection { Connection(try SQLiteDriver(path: path, waiting: 0)) }
    do {
      let holder = try other()
      try holder.run("PRAGMA locking_mode = EXCLUSIVE")
      try holder.run("CREATE TABLE t (a)")
      #expect(throws: SQLiteError.self) { try other().run("INSERT INTO t VALUES (1)") }
      try holder.run("INSERT INTO t VALUES (2)")
    }

    try other().run("INSERT INTO t VALUES (3)")

    #expect(try other().column("SELECT a FROM t") == [2, 3] as [Int64])
  }

  @Test(arguments: [1, 7, 8, 73, 200])
  func `many rows are all added, in order`(count: Int) throws {
    try db.run("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
    var rows = NewRows(into: "t", ["a", "b"], count: count)
    for number in 0..<count {
      rows.values.add(number)
      rows.values.add(number.isMultiple(of: 2) ? nil : "row \(number)")
    }

    try db.insert(rows)

    let found = try db.rows("SELECT a, b FROM t ORDER BY id") { row in
      try "\(row.value(0) as Int) \(row.value(1) ?? "-")"
    }
    #expect(found == (0..<count).map { "\($0) \($0.isMultiple(of: 2) ? "-" : "row \($0)")" })
  }

  @Test func `an error undoes all of a transaction`() throws {
    try db.run("CREATE TABLE t (a UNIQUE)")
    #expect(throws: SQLiteError.self) {
      try db.transaction(.writing) { db in
        for number in [1, 2, 1] { try db.run("INSERT INTO t VALUES ($1)", number) }
      }
    }
    try db.transaction(.writing) { db in try db.run("INSERT INTO t VALUES (3)") }

    #expect(try db.column("SELECT a FROM t") == [3] as [Int64])
  }
}
