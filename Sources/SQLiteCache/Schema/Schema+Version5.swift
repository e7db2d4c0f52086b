extension Schema {
  static let version5 = packTables + placeColumns + holeTriggers

  /// The files that hold thumbnails, one behind the other, and what in them no row names any more.
  ///
  /// - `pack.bytes` is the end of the last thumbnail that was stored in it.
  /// - A hole that is not yet given back may be named again after a power cut, by a row whose
  ///   deletion was not on the disk.
  private static let packTables = """
    CREATE TABLE pack (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      bytes INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE pack_hole (
      pack_id INTEGER NOT NULL,
      position INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      is_given_back INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (pack_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX pack_hole_new ON pack_hole(pack_id, position) WHERE is_given_back = 0;

    """

  /// Where a thumbnail's bytes are (`PackPlace`); nil for those in `data`, which is empty otherwise.
  private static let placeColumns = """
    ALTER TABLE thumbnail ADD COLUMN pack_id INTEGER;
    ALTER TABLE thumbnail ADD COLUMN position INTEGER;
    ALTER TABLE thumbnail ADD COLUMN bytes INTEGER;
    ALTER TABLE thumbnail ADD COLUMN checksum INTEGER;

    """

  /// A row that goes, whoever deletes it, or that names another place, leaves a hole.
  private static let holeTriggers = """
    CREATE TRIGGER thumbnail_deletion AFTER DELETE ON thumbnail WHEN old.pack_id IS NOT NULL
    BEGIN
      INSERT OR REPLACE INTO pack_hole(pack_id, position, bytes)
        VALUES (old.pack_id, old.position, old.bytes);
    END;
    CREATE TRIGGER thumbnail_replacement AFTER UPDATE OF pack_id, position ON thumbnail
      WHEN old.pack_id IS NOT NULL
    BEGIN
      INSERT OR REPLACE INTO pack_hole(pack_id, position, bytes)
        VALUES (old.pack_id, old.position, old.bytes);
    END;

    """
}
