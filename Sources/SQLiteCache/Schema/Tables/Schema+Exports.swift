extension Schema {
  /// The folders that each sync exports to: the second migration.
  ///
  /// `feed_id`, `list_id`, `manifest_id` and `search` say which images; a feed that is purged leaves its folder with
  /// nothing new. `is_missing` is a folder of which a sync has said that it is not there.
  static let exports = """
    CREATE TABLE followed_folder (
      path TEXT PRIMARY KEY,
      feed_id INTEGER,
      list_id INTEGER,
      manifest_id INTEGER,
      search TEXT,
      template TEXT NOT NULL,
      sidecars TEXT,
      is_missing INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;

    """
}
