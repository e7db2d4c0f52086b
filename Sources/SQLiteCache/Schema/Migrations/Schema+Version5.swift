extension Schema {
  /// Thumbnails move out of their rows, into files.
  static let version5 = packTables + placeColumns + holeTriggers

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

  private static let placeColumns = """
    ALTER TABLE thumbnail ADD COLUMN pack_id INTEGER;
    ALTER TABLE thumbnail ADD COLUMN position INTEGER;
    ALTER TABLE thumbnail ADD COLUMN bytes INTEGER;
    ALTER TABLE thumbnail ADD COLUMN checksum INTEGER;

    """

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
