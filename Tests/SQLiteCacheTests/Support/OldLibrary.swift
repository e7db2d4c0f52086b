import Foundation
import GRDB
import Models

@testable import SQLiteCache

/// A library as version 1 left it, with one feed of two images.
final class OldLibrary {
  let path = FileManager.default.temporaryDirectory.path + "/gallery-test-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try connection().writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
      try db.execute(sql: Schema.version1)
      try db.execute(
        sql: """
          PRAGMA application_id = \(Schema.applicationID);
          PRAGMA user_version = 1;
          INSERT INTO feed(address, title, added_at) VALUES (?, 'Moon', 1);
          """,
        arguments: [WebAddress.feed.text]
      )
      try db.inTransaction {
        let writing = try ImageWriting(db)
        for (place, name) in ["a", "b"].enumerated() {
          let row = NewImageRow(
            feedID: 1,
            entryID: EntryID("\(place + 1)"),
            isAmbiguous: false,
            place: Int64(place),
            date: 1,
            now: 1
          )
          _ = try writing.insert(DocumentImage(.sample(name)), row)
        }
        return .commit
      }
    }
  }

  deinit {
    // A folder that stays behind in the system's temporary one harms no test.
    try? FileManager.default.removeItem(atPath: path)
  }

  func connection() throws -> DatabaseQueue { try DatabaseQueue(path: path + "/gallery.sqlite") }

  func version() throws -> Int? {
    try connection().read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") }
  }
}
