import Foundation
import GRDB
import Models
import Sync
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

struct FileVersionTests {
  @Test func `a file whose first tables are made meanwhile is empty or ours, never foreign`() throws
  {
    let folder = try ScratchFolder()
    let file = folder.path + "/gallery.sqlite"
    let writer = try DatabaseQueue(path: file)
    try writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") }
    let statements = Locked(0)

    let version = try DatabaseQueue(path: file).unsafeRead { db in
      db.trace { _ in
        guard
          statements.withLock({
            $0 += 1
            return $0 == 2
          })
        else { return }
        #expect(throws: Never.self) {
          try writer.writeWithoutTransaction { db in try SchemaSetup.migrate(db) }
        }
      }
      return try FileVersion(db)
    }

    #expect(version == .empty)
  }
}
