extension Schema {
  static let images = imageTable + listingIndexes + lookupIndexes + hashIndexes + wantedIndexes

  /// The images, and the columns whose names do not explain them.
  ///
  /// - The reference to the feed is checked at the end of a transaction, and not with each row: if a statement could
  ///   fail on its own, SQLite would copy every page before it first changes it.
  /// - `entry_id` is also NULL when a document used the id twice; then `is_entry_ambiguous` is set.
  /// - `entry_hash`, `original_hash` and `thumbnail_hash` are `StableHash`es; only images without `entry_id` have the
  ///   last one, because only they are looked up by it. It ignores signatures (`DocumentImage.thumbnailHash`).
  /// - `position` is the order in the document, with gaps (`PositionAssigner`).
  /// - `date` is the date that `newest` sorts by.
  /// - `thumbnail_state` is a `ThumbnailState`; the columns after it describe the stored thumbnail, right or outdated.
  ///   `thumbnail_sha256` is the hash of its bytes. `colours` are the bytes of its `ColourGrid`: empty when it cannot
  ///   be decoded, NULL while they are not known.
  /// - `thumbnail_check_at` and `original_check_at` are the dates from which the server is asked whether a stored
  ///   picture has changed; NULL when the server is not asked.
  /// - `row_checksum` is written by `RowSeal`, here and in other tables.
  /// - `declared_bytes` is the size of the original that the feed declares.
  /// - `shape` is 1 for a landscape, -1 for a portrait, 0 for a square: from the size that the feed declares, otherwise
  ///   from the stored thumbnail; NULL when neither is known. With a generated column, SQLite would rewrite the indexes
  ///   of `newest` with each thumbnail.
  private static let imageTable = """
    CREATE TABLE image (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feed_id INTEGER NOT NULL REFERENCES feed(id) DEFERRABLE INITIALLY DEFERRED,
      is_hidden INTEGER NOT NULL DEFAULT 0,
      is_gone INTEGER NOT NULL DEFAULT 0,
      position INTEGER NOT NULL,
      date INTEGER NOT NULL,
      published_at INTEGER,
      first_seen_at INTEGER NOT NULL,
      width INTEGER,
      height INTEGER,
      thumbnail_state INTEGER NOT NULL,
      thumbnail_format TEXT,
      thumbnail_bytes INTEGER,
      thumbnail_width INTEGER,
      thumbnail_height INTEGER,
      thumbnail_sha256 BLOB,
      colours BLOB,
      original_state INTEGER NOT NULL DEFAULT 0,
      is_entry_ambiguous INTEGER NOT NULL,
      entry_hash INTEGER,
      original_hash INTEGER NOT NULL,
      thumbnail_hash INTEGER,
      entry_id TEXT,
      original_address TEXT NOT NULL,
      thumbnail_address TEXT,
      page_address TEXT,
      title TEXT,
      title_key TEXT NOT NULL,
      author TEXT,
      licence TEXT,
      caption TEXT,
      thumbnail_check_at INTEGER,
      original_check_at INTEGER,
      row_checksum INTEGER,
      shape INTEGER,
      declared_bytes INTEGER,
      change_seq INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    """

  /// One index for each order, of the whole library and of a feed; SQLite ends each with the id.
  ///
  /// The indexes of `newest` have more columns after the id, for `ListingFilter.addTraits`.
  private static let listingIndexes = """
    CREATE INDEX image_newest ON image(date DESC, position, id, original_state, shape, first_seen_at)
      WHERE is_hidden = 0;
    CREATE INDEX image_added ON image(first_seen_at DESC, position) WHERE is_hidden = 0;
    CREATE INDEX image_title ON image(title_key, position) WHERE is_hidden = 0;
    CREATE INDEX image_feed ON image(feed_id, position);
    CREATE INDEX image_feed_newest ON image(
      feed_id, date DESC, position, id, original_state, shape, first_seen_at
    ) WHERE is_hidden = 0;
    CREATE INDEX image_feed_added ON image(feed_id, first_seen_at DESC, position)
      WHERE is_hidden = 0;
    CREATE INDEX image_feed_title ON image(feed_id, title_key, position) WHERE is_hidden = 0;

    """

  /// The indexes for comparing a document with the stored images, and for showing hidden images again.
  private static let lookupIndexes = """
    CREATE INDEX image_entry ON image(feed_id, entry_hash);
    CREATE INDEX image_original_hash ON image(feed_id, original_hash);
    CREATE INDEX image_thumbnail_hash ON image(feed_id, thumbnail_hash)
      WHERE thumbnail_hash IS NOT NULL;
    CREATE INDEX image_hidden ON image(feed_id) WHERE is_hidden = 1;

    """

  /// The indexes for a thumbnail that is requested by its hash, and for thumbnails whose colours are not known.
  private static let hashIndexes = """
    CREATE INDEX image_thumbnail_sha256 ON image(thumbnail_sha256)
      WHERE is_hidden = 0 AND thumbnail_sha256 IS NOT NULL;
    CREATE INDEX image_colours_wanted ON image(date DESC, position)
      WHERE is_hidden = 0 AND thumbnail_sha256 IS NOT NULL AND colours IS NULL;

    """

  /// The indexes for pictures that are to be fetched, made (`ThumbnailState.unmade`) or checked.
  private static let wantedIndexes = """
    CREATE INDEX image_thumbnail_wanted ON image(feed_id, date DESC, position)
      WHERE is_hidden = 0 AND thumbnail_state = 2;
    CREATE INDEX image_original_wanted ON image(feed_id, date DESC, position)
      WHERE is_hidden = 0 AND original_state <> 1;
    CREATE INDEX image_thumbnail_unmade ON image(feed_id, date DESC, position)
      WHERE is_hidden = 0 AND thumbnail_state = 0;
    CREATE INDEX image_thumbnail_check ON image(feed_id, thumbnail_check_at)
      WHERE thumbnail_check_at IS NOT NULL;
    CREATE INDEX image_original_check ON image(feed_id, original_check_at)
      WHERE original_check_at IS NOT NULL;

    """
}
