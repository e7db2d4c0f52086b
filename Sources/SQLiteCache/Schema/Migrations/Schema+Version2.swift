extension Schema {
  static let version2 =
    feedColumns + hostTable + failureTable + checkColumns + verificationTable

  /// What a feed's server has said of asking it again.
  private static let feedColumns = """
    ALTER TABLE feed ADD COLUMN moved_to TEXT;
    ALTER TABLE feed ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE feed ADD COLUMN next_sync_at INTEGER;
    CREATE TABLE feed_alias (
      address TEXT PRIMARY KEY,
      feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX feed_alias_feed ON feed_alias(feed_id);

    """

  private static let hostTable = """
    CREATE TABLE host (
      name TEXT PRIMARY KEY,
      paused_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  private static let failureTable = """
    CREATE TABLE picture_failure (
      image_id INTEGER NOT NULL REFERENCES image(id) ON DELETE CASCADE,
      kind INTEGER NOT NULL,
      address TEXT NOT NULL,
      class INTEGER NOT NULL,
      reason TEXT NOT NULL,
      tries INTEGER NOT NULL,
      failed_at INTEGER NOT NULL,
      retry_at INTEGER NOT NULL,
      PRIMARY KEY (image_id, kind)
    ) STRICT, WITHOUT ROWID;

    """

  private static let checkColumns = """
    ALTER TABLE image ADD COLUMN thumbnail_check_at INTEGER;
    ALTER TABLE image ADD COLUMN original_check_at INTEGER;
    CREATE INDEX image_thumbnail_check ON image(feed_id, thumbnail_check_at)
      WHERE thumbnail_check_at IS NOT NULL;
    CREATE INDEX image_original_check ON image(feed_id, original_check_at)
      WHERE original_check_at IS NOT NULL;

    """

  private static let verificationTable = """
    CREATE TABLE verification (
      part TEXT PRIMARY KEY,
      last_id INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
}
