import GRDB
import Store
import Testing

@testable import SQLiteCache

/// Queries of `Store` on a connection that GRDB has opened.
struct SharedConnectionTests {
  private struct Stop: Error {}

  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
  }

  @Test func `a query takes part in the transaction of GRDB`() throws {
    #expect(throws: Stop.self) {
      try queue.write { db in
        try db.store.run("INSERT INTO t VALUES ($1)", 1)
        if try Int.fetchOne(db, sql: "SELECT a FROM t") == 1 { throw Stop() }
      }
    }
    let sum = try queue.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (2)")
      return try db.store.value("SELECT sum(a) FROM t") as Int?
    }

    #expect(sum == 2)
  }

  @Test func `all queries have the same statements while the connection is open`() throws {
    let connection = SQLiteCache.Connection(queue)
    let isSame = queue.inDatabase { db in db.store === db.store }
    withExtendedLifetime(connection) { #expect(isSame) }
  }

  @Test func `a connection closes although statements are compiled`() throws {
    weak var driver: Store.Connection?
    do {
      let connection = SQLiteCache.Connection(queue)
      driver = try connection.queue.inDatabase { db in
        try db.store.run("SELECT 1")
        return db.store
      }
      withExtendedLifetime(connection) { #expect(driver != nil) }
    }
    #expect(driver == nil)
    try queue.close()
  }
}
