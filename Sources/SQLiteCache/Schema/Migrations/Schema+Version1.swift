extension Schema {
  static let version1 =
    feedTable + imageTable + listingIndexes + lookupIndexes + memberTables + pictureTables
    + searchTable

  private static let feedTable = """
    CREATE TABLE feed (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      address TEXT NOT NULL UNIQUE,
      title TEXT,
      format TEXT,
      etag TEXT,
      last_modified TEXT,
      added_at INTEGER NOT NULL,
      synced_at INTEGER,
      status TEXT,
      problem TEXT,
      image_count INTEGER NOT NULL DEFAULT 0,
      document_image_count INTEGER NOT NULL DEFAULT 0,
      is_whole INTEGER NOT NULL DEFAULT 0,
      is_removed INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    """

  private static let imageTable = """
    CREATE TABLE image (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feed_id INTEGER NOT NULL REFERENCES feed(id),
      is_hidden INTEGER NOT NULL DEFAULT 0,
      is_gone INTEGER NOT NULL DEFAULT 0,
      place INTEGER NOT NULL,
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
      caption TEXT
    ) STRICT;

    """

  private static let listingIndexes = """
    CREATE INDEX image_newest ON image(date DESC, place) WHERE is_hidden = 0;
    CREATE INDEX image_added ON image(first_seen_at DESC, place) WHERE is_hidden = 0;
    CREATE INDEX image_title ON image(title_key, place) WHERE is_hidden = 0;
    CREATE INDEX image_feed ON image(feed_id, place);
    CREATE INDEX image_feed_newest ON image(feed_id, date DESC, place) WHERE is_hidden = 0;
    CREATE INDEX image_feed_added ON image(feed_id, first_seen_at DESC, place)
      WHERE is_hidden = 0;
    CREATE INDEX image_feed_title ON image(feed_id, title_key, place) WHERE is_hidden = 0;

    """

  private static let lookupIndexes = """
    CREATE INDEX image_entry ON image(feed_id, entry_hash);
    CREATE INDEX image_original_hash ON image(feed_id, original_hash);
    CREATE INDEX image_thumbnail_hash ON image(feed_id, thumbnail_hash)
      WHERE thumbnail_hash IS NOT NULL;
    CREATE INDEX image_hidden ON image(feed_id) WHERE is_hidden = 1;
    CREATE INDEX image_thumbnail_wanted ON image(feed_id, date DESC, place)
      WHERE is_hidden = 0 AND thumbnail_state = 2;
    CREATE INDEX image_original_wanted ON image(feed_id, date DESC, place)
      WHERE is_hidden = 0 AND original_state <> 1;

    """

  private static let memberTables = """
    CREATE TABLE member (
      id INTEGER PRIMARY KEY,
      feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      address TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      UNIQUE (feed_id, address)
    ) STRICT;
    CREATE TABLE member_image (
      member_id INTEGER NOT NULL REFERENCES member(id) ON DELETE CASCADE,
      image_id INTEGER NOT NULL REFERENCES image(id) ON DELETE CASCADE,
      PRIMARY KEY (member_id, image_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX member_image_image ON member_image(image_id);

    """

  private static let pictureTables = """
    CREATE TABLE thumbnail (
      image_id INTEGER PRIMARY KEY REFERENCES image(id) ON DELETE CASCADE,
      address TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      fetched_at INTEGER NOT NULL,
      data BLOB NOT NULL
    ) STRICT;
    CREATE TABLE original (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sha256 TEXT NOT NULL UNIQUE,
      format TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      width INTEGER,
      height INTEGER,
      stored_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE image_original (
      image_id INTEGER PRIMARY KEY REFERENCES image(id) ON DELETE CASCADE,
      original_id INTEGER NOT NULL REFERENCES original(id),
      address TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      stored_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX image_original_file ON image_original(original_id);

    """

  private static let searchTable = """
    CREATE VIEW image_text AS
      SELECT id, title, caption, author, 'f' || feed_id AS feed FROM image;
    CREATE VIRTUAL TABLE image_search USING fts5(
      title, caption, author, feed,
      content = 'image_text', content_rowid = 'id',
      tokenize = 'unicode61 remove_diacritics 2', detail = column, columnsize = 0
    );

    """
}
