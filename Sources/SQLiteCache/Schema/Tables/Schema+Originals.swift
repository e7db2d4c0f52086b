import Store

extension Schema {
  /// The order in which originals are evicted: the third migration (`BoundQueries`).
  ///
  /// - `original_use.used_at` is the date at which a file was last viewed. For an original that a sync fetched ahead it
  ///   is the date of its image, and for an original that no image has any more it is 0.
  /// - `original_total` and `arrival` are not used any more (`roomOnDisk`).
  static let boundTables = """
    CREATE TABLE original_use (
      original_id INTEGER PRIMARY KEY,
      used_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE original_total (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bytes INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE arrival (
      image_id INTEGER PRIMARY KEY,
      bytes INTEGER NOT NULL
    ) STRICT;

    """

  static let boundRest = """
    CREATE INDEX original_use_order ON original_use(used_at);
    INSERT INTO original_use(original_id, used_at)
      SELECT original.id, coalesce(max(min(image.date, original.stored_at)), 0) FROM original
      LEFT JOIN image_original ON original_id = original.id
      LEFT JOIN image ON image.id = image_id GROUP BY original.id;
    INSERT INTO original_total(id, bytes) SELECT 1, coalesce(sum(bytes), 0) FROM original;
    CREATE TRIGGER original_insertion AFTER INSERT ON original BEGIN
      UPDATE original_total SET bytes = bytes + new.bytes;
    END;
    CREATE TRIGGER original_deletion AFTER DELETE ON original BEGIN
      DELETE FROM original_use WHERE original_id = old.id;
      UPDATE original_total SET bytes = bytes - old.bytes;
    END;
    CREATE TRIGGER original_change AFTER UPDATE OF bytes ON original BEGIN
      UPDATE original_total SET bytes = bytes + new.bytes - old.bytes;
    END;

    """

  /// The originals that the library's object store has: the seventh migration (`ObjectQueries`).
  ///
  /// - `put_original` has a row for each of them. The name of the store is the setting `objects`.
  /// - `away_original` has those that were evicted from this disk. `bytes` is the same as in `original`.
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

  /// Deletes the records of the room that originals take, which the files themselves tell (`OriginalRoom`).
  static let roomOnDisk = """
    DROP TRIGGER original_insertion;
    DROP TRIGGER original_change;
    DROP TRIGGER original_deletion;
    DROP TRIGGER away_insertion;
    DROP TRIGGER away_deletion;
    DROP TABLE original_total;
    DROP TABLE arrival;
    CREATE TRIGGER original_deletion AFTER DELETE ON original BEGIN
      DELETE FROM original_use WHERE original_id = old.id;
    END;
    CREATE TRIGGER away_insertion AFTER INSERT ON away_original BEGIN
      DELETE FROM original_use WHERE original_id = new.original_id;
    END;

    """

  /// The pictures that came in the place of stored ones: the eleventh migration (`SuccessorQueries`).
  ///
  /// - `successor` has the newer pictures that are kept beside stored ones, at most one of each kind for an image.
  ///   `kind` is a `PictureKind`; a thumbnail is 0, whether it is named or made, and its bytes are in `picture`. An
  ///   original is the file of `original_id`. `doubts` are `SuccessorDoubt`s with blanks between them. A row of kind
  ///   3 is no newer picture but the thumbnail that the stored one has replaced, at the date in `arrived_at`; its
  ///   `doubts` tell whether the original was outdated then.
  /// - `replaced_original` has the former originals of images: `stored_at` is when one arrived, and `replaced_at` when
  ///   another one took its place.
  /// - `picture_redirect` has the stored pictures that were last reached by a redirect.
  static let successors = """
    CREATE TABLE successor (
      image_id INTEGER NOT NULL REFERENCES image(id) ON DELETE CASCADE,
      kind INTEGER NOT NULL,
      address TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      arrived_at INTEGER NOT NULL,
      doubts TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      format TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      width INTEGER,
      height INTEGER,
      source_sha256 TEXT,
      original_id INTEGER,
      picture BLOB,
      PRIMARY KEY (image_id, kind)
    ) STRICT;
    CREATE TABLE replaced_original (
      image_id INTEGER NOT NULL REFERENCES image(id) ON DELETE CASCADE,
      original_id INTEGER NOT NULL,
      stored_at INTEGER NOT NULL,
      replaced_at INTEGER NOT NULL,
      PRIMARY KEY (image_id, original_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE picture_redirect (
      image_id INTEGER NOT NULL REFERENCES image(id) ON DELETE CASCADE,
      kind INTEGER NOT NULL,
      PRIMARY KEY (image_id, kind)
    ) STRICT, WITHOUT ROWID;

    """

  /// The files of folders that are feeds, which stay where they are: the thirteenth migration (`FolderQueries`).
  ///
  /// `version` tells whether a file has changed since it was read (`FolderFile`).
  static let folderOriginals = """
    CREATE TABLE folder_original (
      image_id INTEGER PRIMARY KEY REFERENCES image(id) ON DELETE CASCADE,
      version TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      format TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      width INTEGER,
      height INTEGER
    ) STRICT;

    """

  /// What cameras have written into originals (`PictureDetails`): the fifteenth migration (`DetailQueries`).
  ///
  /// It has no checksums: a verification reads it from the originals again.
  static let details = """
    CREATE TABLE picture_details (
      sha256 TEXT PRIMARY KEY,
      camera TEXT,
      lens TEXT,
      exposure INTEGER,
      aperture INTEGER,
      sensitivity INTEGER,
      focal_length INTEGER,
      taken_clock INTEGER,
      taken_offset INTEGER,
      latitude INTEGER,
      longitude INTEGER
    ) STRICT, WITHOUT ROWID;

    """

  /// The indexes of cameras' names and of the moments of pictures: the sixteenth migration.
  static let detailIndexes = DetailQueries.indexes(.sqlite)

  static let folderIndex = """
    CREATE INDEX folder_original_sha256 ON folder_original(sha256);

    """

  static let successorIndexes = """
    CREATE INDEX successor_sha256 ON successor(sha256);
    CREATE INDEX successor_original ON successor(original_id) WHERE original_id IS NOT NULL;
    CREATE INDEX replaced_original_file ON replaced_original(original_id);

    """
}
