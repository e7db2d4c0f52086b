extension Schema {
  static let feeds = feedTable + aliasTable + memberTables

  /// What is known of each feed.
  ///
  /// - `identity` is what all spellings of `address` share (`WebAddress.identity`): by it a feed is found.
  /// - `title` is the document's, `given_title` the user's, which goes before it.
  /// - `moved_to` is where the last sync was sent to for good (301, 308); the address follows when
  ///   the next one is sent to the same.
  /// - `is_paused` is a feed whose server says that it is gone (410).
  /// - `next_sync_at` is when a sync of all feeds asks again.
  /// - `reach` is a `StoredReach`, how far the feed's content may lead the network; nil until an answer has
  ///   told whether the feed's address is private.
  /// - `private_host` is the one host name that may lead to private addresses; nil when there is none.
  private static let feedTable = """
    CREATE TABLE feed (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      address TEXT NOT NULL,
      identity TEXT NOT NULL UNIQUE,
      title TEXT,
      given_title TEXT,
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
      is_removed INTEGER NOT NULL DEFAULT 0,
      moved_to TEXT,
      is_paused INTEGER NOT NULL DEFAULT 0,
      next_sync_at INTEGER,
      reach INTEGER,
      private_host TEXT,
      row_checksum INTEGER
    ) STRICT;

    """

  /// The addresses that feeds had before, so that they still name them.
  private static let aliasTable = """
    CREATE TABLE feed_alias (
      identity TEXT PRIMARY KEY,
      address TEXT NOT NULL,
      feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX feed_alias_feed ON feed_alias(feed_id);

    """

  /// The documents of a collection, with what each lists, so that one that has not changed need not
  /// be read again to know.
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
}
