import GRDB
package import Models
package import Workers

extension SQLiteLibrary: FeedRehearsing {
  package func rehearsal(ofFeedAt address: WebAddress) throws(StoreError) -> any SyncStoring {
    let library = reader
    let scratch = try ScratchFolder()
    return SQLiteLibrary(scratch, rehearsing: library) { queue throws(StoreError) in
      do throws(StoreError) {
        try library.read { source in
          try queue.write { target in
            try Self.leaveOutSearch(target)
            try FeedCopy(source: source, target: target).copy(feedAt: address)
          }
        }
      } catch  where error.reason == .noLibrary {
        // Then every feed is new.
        try StoreError.catching(scratch.path) {
          try queue.write { target in try Self.leaveOutSearch(target) }
        }
      }
    }
  }

  /// Puts something in the place of the indexes of words that takes all and keeps nothing.
  ///
  /// To be right they would have to be made for all of the feed's images, and a rehearsal is neither
  /// searched nor listed.
  private static func leaveOutSearch(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP INDEX image_newest;
        DROP INDEX image_added;
        DROP INDEX image_title;
        DROP INDEX image_feed_newest;
        DROP INDEX image_feed_added;
        DROP INDEX image_feed_title;
        DROP TABLE image_search;
        CREATE VIEW image_search AS
          SELECT NULL AS image_search, NULL AS rowid, NULL AS title, NULL AS caption,
            NULL AS author, NULL AS feed;
        CREATE TRIGGER image_search_insertion INSTEAD OF INSERT ON image_search
          BEGIN SELECT 1; END;
        DROP TABLE image_search_pairs;
        CREATE VIEW image_search_pairs AS
          SELECT NULL AS image_search_pairs, NULL AS rowid, NULL AS pairs;
        CREATE TRIGGER image_search_pairs_insertion INSTEAD OF INSERT ON image_search_pairs
          BEGIN SELECT 1; END;
        """
    )
  }
}
