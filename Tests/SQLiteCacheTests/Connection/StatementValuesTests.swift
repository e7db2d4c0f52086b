import GRDB
import Testing

@testable import SQLiteCache

struct StatementValuesTests {
  private let queue: DatabaseQueue

  init() throws { queue = try DatabaseQueue() }

  @Test func `arrive as what they are, the empty ones, too`() throws {
    let types: [String] = try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a, b, c, d, e, f)")
      let insertion = try db.valueStatement(sql: "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)")
      try insertion.execute(with: [
        .integer(Int64.min), .text("é\u{0}x"), .text(""), .text(String?.none), .integer(Int?.none),
        .boolean(true),
      ])
      let columns = "abcdef".map { "typeof(\($0)) || ':' || quote(\($0))" }
      let sql = "SELECT \(columns.joined(separator: ", ")) FROM t"
      let row = try #require(try Row.fetchOne(db, sql: sql))
      return Array(row.databaseValues.compactMap(String.fromDatabaseValue))
    }

    #expect(
      types == [
        "integer:-9223372036854775808", "text:'é'", "text:''", "null:NULL", "null:NULL",
        "integer:1",
      ]
    )
  }

  @Test func `are each time all that a statement has`() throws {
    let rows = try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a, b)")
      let insertion = try db.valueStatement(sql: "INSERT INTO t VALUES (?, ?)")
      try insertion.execute(with: [.integer(1 as Int64), .text("one")])
      try insertion.execute(with: [.null, .integer(2 as Int64)])
      try insertion.execute(arguments: [3, nil])
      return try String.fetchAll(db, sql: "SELECT quote(a) || quote(b) FROM t")
    }

    #expect(rows == ["1'one'", "NULL2", "3NULL"])
  }

  @Test func `are taken anew after a statement that failed`() throws {
    let rows = try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a UNIQUE, b, c)")
      let insertion = try db.valueStatement(sql: "INSERT INTO t VALUES (?, ?, ?)")
      try insertion.execute(with: [.integer(1 as Int64), .text("one"), .null])
      // The statement fails between two that succeed.
      #expect(throws: DatabaseError.self) {
        try insertion.execute(with: [.integer(1 as Int64), .text("again"), .null])
      }
      try insertion.execute(with: [.null, .text("two"), .text("more")])
      return try String.fetchAll(db, sql: "SELECT quote(a) || quote(b) || quote(c) FROM t")
    }

    #expect(rows == ["1'one'NULL", "NULL'two''more'"])
  }

  @Test func `are as many as the statement's parameters`() throws {
    try queue.write { db in
      let statement = try db.valueStatement(sql: "SELECT ?, ?")
      #expect(throws: DatabaseError.self) { try statement.execute(with: [.null]) }
      #expect(throws: DatabaseError.self) { try statement.execute(with: [.null, .null, .null]) }
    }
  }
}
