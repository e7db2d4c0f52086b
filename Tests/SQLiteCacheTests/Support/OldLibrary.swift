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
      for (place, name) in ["a", "b"].enumerated() {
        try Self.insert(EntryID("\(place + 1)"), .sample(name), place: place, db)
      }
      try db.execute(sql: "INSERT INTO image_search(image_search) VALUES ('rebuild')")
    }
  }

  deinit {
    // A folder that stays behind in the system's temporary one harms no test.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes the row that version 1 wrote.
  private static func insert(
    _ entryID: EntryID,
    _ image: FeedImage,
    place: Int,
    _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO image(
          feed_id, place, date, first_seen_at, thumbnail_state, is_entry_ambiguous, entry_id,
          entry_hash, original_hash, original_address, title_key
        ) VALUES (1, ?, 1, 1, 0, 0, ?, ?, ?, ?, '')
        """,
      arguments: [
        place, entryID.text, entryID.hash, DocumentImage(image).originalHash,
        image.originalAddress.text,
      ]
    )
  }

  func connection() throws -> DatabaseQueue { try DatabaseQueue(path: path + "/gallery.sqlite") }

  func version() throws -> Int? {
    try connection().read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") }
  }
}
