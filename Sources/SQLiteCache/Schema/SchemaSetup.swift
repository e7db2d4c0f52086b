import GRDB

/// Brings a file that may be written to the newest version.
enum SchemaSetup {
  /// What must be said before a file's first table is made; it holds for the file's whole life.
  ///
  /// A file with nothing in it needs no journal beside it, whose making waits for the disk eight times:
  /// its one page is written in one piece, and a power cut leaves zeros at worst, which count as nothing. The
  /// change to the write-ahead log, which comes next, brings it to the disk. A file that has been changed so
  /// far is not to be changed back: readers may have it open.
  static func prepareEmptyFile(_ db: Database) throws {
    if try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" { return }
    try db.execute(
      sql: """
        PRAGMA journal_mode = MEMORY;
        PRAGMA synchronous = OFF;
        PRAGMA page_size = \(Limits.pageBytes);
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA synchronous = FULL;
        """
    )
  }

  /// Runs the migrations that a file has not seen, all in one transaction.
  static func migrate(_ db: Database, _ migrations: [String] = Schema.migrations) throws {
    try db.inTransaction(.immediate) {
      var seen = 0
      if case .ours(let version) = try FileVersion(db) { seen = Int(version) }
      for sql in migrations.dropFirst(seen) { try db.execute(sql: sql) }
      try db.execute(
        sql: """
          PRAGMA application_id = \(Schema.applicationID);
          PRAGMA user_version = \(max(seen, migrations.count));
          """
      )
      return .commit
    }
  }
}
