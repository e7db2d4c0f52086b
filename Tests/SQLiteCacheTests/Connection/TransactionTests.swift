import Store
import Testing

@testable import SQLiteCache

struct TransactionTests {
  private struct Refusal: Error {}

  private let db: Connection

  init() throws {
    db = try Connection.file("")
    try db.run("CREATE TABLE note (text)")
  }

  @Test func `keeps what was written`() throws {
    for note in ["a", "b"] { try db.transaction(.writing) { db in try add(note, db) } }

    #expect(try notes == ["a", "b"])
  }

  @Test func `keeps nothing of what failed, and the next one works`() throws {
    #expect(throws: Refusal.self) {
      try db.transaction(.writing) { db in
        try add("a", db)
        throw Refusal()
      }
    }
    try db.transaction(.writing) { db in try add("b", db) }

    #expect(try notes == ["b"])
  }

  @Test func `what is to be undone is undone, and what was written before stays`() throws {
    try db.transaction(.writing) { db in
      try add("a", db)
      let count: Int? = try db.undoing {
        try add("b", db)
        return try db.value("SELECT count(*) FROM note")
      }
      #expect(count == 2)
      #expect(throws: Refusal.self) {
        try db.undoing {
          try add("c", db)
          throw Refusal()
        }
      }
    }

    #expect(try notes == ["a"])
  }

  @Test func `a question within another is asked of the same state, which it does not end`() throws
  {
    let isInside = try db.reading { db in
      _ = try db.reading { db in try db.hasRow("SELECT 1 FROM note") }
      return db.sqlite.isInTransaction
    }

    #expect(isInside)
    #expect(!db.sqlite.isInTransaction)
  }

  private func add(_ note: String, _ db: Connection) throws {
    try db.run("INSERT INTO note VALUES ($1)", note)
  }

  private var notes: [String] {
    get throws { try db.reading { db in try db.column("SELECT text FROM note ORDER BY text") } }
  }
}
