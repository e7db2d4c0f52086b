extension Schema {
  /// Which originals the library's object store has: the seventh migration (`ObjectQueries`).
  ///
  /// - `put_original` has a row for each of them. The name of the store is the setting `objects`.
  /// - `away_original` has those that gave way on this disk. `bytes` is what `original` has, to be taken from the sum of
  ///   all originals (`original_total`) for as long as there is no file.
  static let objectTables = """
    CREATE TABLE put_original (
      original_id INTEGER PRIMARY KEY REFERENCES original(id) ON DELETE CASCADE,
      put_at INTEGER NOT NULL,
      row_checksum INTEGER
    ) STRICT;
    CREATE TABLE away_original (
      original_id INTEGER PRIMARY KEY REFERENCES put_original(original_id) ON DELETE CASCADE,
      bytes INTEGER NOT NULL
    ) STRICT;

    """

  static let objectRest = """
    CREATE TRIGGER away_insertion AFTER INSERT ON away_original BEGIN
      DELETE FROM original_use WHERE original_id = new.original_id;
      UPDATE original_total SET bytes = bytes - new.bytes;
    END;
    CREATE TRIGGER away_deletion AFTER DELETE ON away_original BEGIN
      UPDATE original_total SET bytes = bytes + old.bytes;
    END;

    """
}
