import GRDB
import Testing

@testable import SQLiteCache

struct TransactionTests {
  private struct Refusal: Error {}

  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE note (text)") }
  }

  @Test func `keeps what was written`() throws {
    try queue.writeWithoutTransaction { db in
      try db.writing { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      try db.writing { db in try db.execute(sql: "INSERT INTO note VALUES ('b')") }
    }

    #expect(try notes == ["a", "b"])
  }

  @Test func `keeps nothing of what failed, and the next one works`() throws {
    #expect(throws: Refusal.self) {
      try queue.writeWithoutTransaction { db in
        try db.writing { db in
          try db.execute(sql: "INSERT INTO note VALUES ('a')")
          throw Refusal()
        }
      }
    }
    try queue.writeWithoutTransaction { db in
      try db.writing { db in try db.execute(sql: "INSERT INTO note VALUES ('b')") }
    }

    #expect(try notes == ["b"])
  }

  @Test func `a question within another is asked of the same state, which it does not end`() throws
  {
    let isInside = try queue.writeWithoutTransaction { db in
      try db.reading { db in
        _ = try db.reading { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM note") }
        return db.isInsideTransaction
      }
    }

    #expect(isInside)
    #expect(queue.unsafeRead { db in !db.isInsideTransaction })
  }

  private var notes: [String] {
    get throws {
      try queue.writeWithoutTransaction { db in
        try db.reading { db in try String.fetchAll(db, sql: "SELECT text FROM note ORDER BY text") }
      }
    }
  }
}
