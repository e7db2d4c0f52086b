import GRDB
import Testing

@testable import SQLiteCache

struct StatementValuesTests {
  private let queue: DatabaseQueue

  init() throws { queue = try DatabaseQueue() }

  private func values(_ values: (any DatabaseValueConvertible)?...) -> StatementValues {
    var result = StatementValues(count: values.count)
    for value in values {
      if let text = value as? String { result.add(text) } else { result.add(value as? Int) }
    }
    return result
  }

  @Test func `arrive as what they are, the empty ones, too`() throws {
    let types: [String] = try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a, b, c, d, e, f)")
      let insertion = try db.cachedStatement(sql: "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)")
      var values = StatementValues(count: 6)
      values.add(Int64.min)
      values.add("é\u{0}x")
      values.add("")
      values.add(String?.none)
      values.add(Int?.none)
      values.add(true)
      try insertion.execute(with: values)
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
      let insertion = try db.cachedStatement(sql: "INSERT INTO t VALUES (?, ?)")
      try insertion.execute(with: values(1, "one"))
      try insertion.execute(with: values(nil, 2))
      try insertion.execute(arguments: [3, nil])
      return try String.fetchAll(db, sql: "SELECT quote(a) || quote(b) FROM t")
    }

    #expect(rows == ["1'one'", "NULL2", "3NULL"])
  }

  @Test func `are taken again after a statement that failed`() throws {
    let rows = try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a UNIQUE, b, c)")
      let insertion = try db.cachedStatement(sql: "INSERT INTO t VALUES (?, ?, ?)")
      try insertion.execute(with: values(1, "one", nil))
      // The statement fails between two that succeed.
      #expect(throws: DatabaseError.self) {
        try insertion.execute(with: values(1, "again", nil))
      }
      try insertion.execute(with: values(nil, "two", "more"))
      return try String.fetchAll(db, sql: "SELECT quote(a) || quote(b) || quote(c) FROM t")
    }

    #expect(rows == ["1'one'NULL", "NULL'two''more'"])
  }

  @Test func `are as many as the statement's parameters`() throws {
    try queue.write { db in
      let statement = try db.cachedStatement(sql: "SELECT ?, ?")
      #expect(throws: DatabaseError.self) { try statement.execute(with: values(1)) }
      #expect(throws: DatabaseError.self) { try statement.execute(with: values(1, 2, 3)) }
    }
  }
}
