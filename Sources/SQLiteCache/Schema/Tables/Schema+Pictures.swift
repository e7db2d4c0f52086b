extension Schema {
  /// The other renditions of images (`FeedImage.renditions`), an address a line: the tenth migration.
  static let renditions = """
    CREATE TABLE rendition (
      image_id INTEGER PRIMARY KEY REFERENCES image(id) ON DELETE CASCADE,
      addresses TEXT NOT NULL
    ) STRICT;

    """

  static let pictures =
    thumbnailTable + packTables + holeTriggers + originalTables + checkTables + settingTable

  /// The location of each image's thumbnail.
  ///
  /// - The last four columns say where the bytes are (`PackLocation`).
  /// - `source_sha256` is the SHA-256 of the picture from which the thumbnail was made, in lower-case hexadecimal
  ///   digits; NULL for a thumbnail that is stored as it arrived. The source is the original of an image whose feed
  ///   names no thumbnail, or a named thumbnail that was too large to be stored, or told where it was taken.
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

  /// The packs, and the holes in them.
  ///
  /// - `pack.bytes` is the end of the last thumbnail that was stored in it.
  /// - `pack.sha256` is the hash of a sealed pack, to which nothing is appended any more; NULL for others, and from a
  ///   new hole on until the pack is hashed again (`SealedPacks`).
  /// - Until the room of a hole is given back, a power cut may bring back a row that names it: a row whose deletion was
  ///   not on the disk.
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

  /// Adds a hole for a row that is deleted or gets another location, and deletes the hash of its pack.
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

  /// The results of verifications, and the progress of an interrupted one.
  ///
  /// - `damage` has the stored pictures that were found damaged, which are not handed out any more.
  /// - `damage.kind` is a `PictureKind`; a thumbnail is 0, whether it is named or made.
  /// - `verification.last_id` is the last id that was checked, by part. For the part `end`, it is the date at which a
  ///   verification last reached its end.
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

  /// The settings of this library, by name.
  ///
  /// - `originals` is the target that the user has confirmed for a link in place of the folder for originals.
  /// - `objects` is the name of the library's object store.
  /// - `copied` is the change number at the end of the last copy of another library into this one.
  /// - `backup` marks a backup.
  private static let settingTable = """
    CREATE TABLE setting (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
}
