extension Schema {
  static let pictures =
    thumbnailTable + packTables + holeTriggers + originalTables + checkTables + settingTable

  /// Where the thumbnail of each image is.
  ///
  /// - The four columns at the end say where the bytes are (`PackLocation`).
  /// - `source_sha256` is what the thumbnail was made from: the original of an image whose feed names no
  ///   thumbnail, or a named one that was too large to be stored as it came. SHA-256 in lower-case
  ///   hexadecimal digits; nil for one that is stored as it came.
  private static let thumbnailTable = """
    CREATE TABLE thumbnail (
      image_id INTEGER PRIMARY KEY REFERENCES image(id) ON DELETE CASCADE,
      address TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      fetched_at INTEGER NOT NULL,
      source_sha256 TEXT,
      pack_id INTEGER NOT NULL,
      offset INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      checksum INTEGER NOT NULL
    ) STRICT;

    """

  /// The files that hold thumbnails, one behind the other, and what in them no row names any more.
  ///
  /// - `pack.bytes` is the end of the last thumbnail that was stored in it.
  /// - `pack.sha256` is the hash of a sealed pack, to which nothing is appended any more; nil for others, and from
  ///   a new hole on until the pack is hashed again (`SealedPacks`).
  /// - A hole that is not yet given back may be named again after a power cut, by a row whose
  ///   deletion was not on the disk.
  private static let packTables = """
    CREATE TABLE pack (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      bytes INTEGER NOT NULL,
      row_checksum INTEGER,
      sha256 BLOB
    ) STRICT;
    CREATE UNIQUE INDEX pack_sha256 ON pack(sha256) WHERE sha256 IS NOT NULL;
    CREATE TABLE pack_hole (
      pack_id INTEGER NOT NULL,
      offset INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      is_given_back INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (pack_id, offset)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX pack_hole_new ON pack_hole(pack_id, offset) WHERE is_given_back = 0;

    """

  /// A row that is deleted, or that names another location, leaves a hole; the hash of its pack does not hold any more.
  private static let holeTriggers = """
    CREATE TRIGGER thumbnail_deletion AFTER DELETE ON thumbnail BEGIN
      INSERT OR REPLACE INTO pack_hole(pack_id, offset, bytes)
        VALUES (old.pack_id, old.offset, old.bytes);
      UPDATE pack SET sha256 = NULL WHERE id = old.pack_id AND sha256 IS NOT NULL;
    END;
    CREATE TRIGGER thumbnail_replacement AFTER UPDATE OF pack_id, offset ON thumbnail BEGIN
      INSERT OR REPLACE INTO pack_hole(pack_id, offset, bytes)
        VALUES (old.pack_id, old.offset, old.bytes);
      UPDATE pack SET sha256 = NULL WHERE id = old.pack_id AND sha256 IS NOT NULL;
    END;

    """

  private static let originalTables = """
    CREATE TABLE original (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sha256 TEXT NOT NULL UNIQUE,
      format TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      width INTEGER,
      height INTEGER,
      stored_at INTEGER NOT NULL,
      row_checksum INTEGER
    ) STRICT;
    CREATE TABLE image_original (
      image_id INTEGER PRIMARY KEY REFERENCES image(id) ON DELETE CASCADE,
      original_id INTEGER NOT NULL REFERENCES original(id),
      address TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      stored_at INTEGER NOT NULL,
      row_checksum INTEGER
    ) STRICT;
    CREATE INDEX image_original_file ON image_original(original_id);

    """

  /// What verifications have found, and how far an interrupted one came.
  ///
  /// - `damage` has the stored pictures that were found damaged, which are not handed out any more.
  /// - `damage.kind` is a `PictureKind`; a thumbnail is 0, whether it is named or made.
  /// - `verification.last_id` is the id that was looked at last, by part; that of `end` is the date of the last end.
  private static let checkTables = """
    CREATE TABLE damage (
      image_id INTEGER NOT NULL REFERENCES image(id) ON DELETE CASCADE,
      kind INTEGER NOT NULL,
      PRIMARY KEY (image_id, kind)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE verification (
      part TEXT PRIMARY KEY,
      last_id INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  /// What the user has said of this library: under `originals`, where the link in the place of its
  /// folder is meant to lead.
  private static let settingTable = """
    CREATE TABLE setting (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
}
