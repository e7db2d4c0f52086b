extension Schema {
  /// Which hub each feed's document names, and the subscriptions there: the sixth migration (`SubscriptionQueries`).
  ///
  /// - `feed_hub` is how the document was when it was last read.
  /// - `subscription` has no reference to the feed: it stays after the feed until the hub has been told.
  /// - `lease_until` is NULL until the hub has confirmed; `next_at` is when the hub is asked next.
  static let subscriptions = """
    CREATE TABLE feed_hub (
      feed_id INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      hub TEXT NOT NULL,
      topic TEXT NOT NULL
    ) STRICT;
    CREATE TABLE subscription (
      feed_id INTEGER NOT NULL,
      path TEXT NOT NULL UNIQUE,
      hub TEXT NOT NULL,
      topic TEXT NOT NULL,
      callback TEXT NOT NULL,
      secret TEXT NOT NULL,
      reach INTEGER,
      private_host TEXT,
      is_ending INTEGER NOT NULL DEFAULT 0,
      lease_until INTEGER,
      next_at INTEGER NOT NULL,
      tries INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (feed_id, path)
    ) STRICT, WITHOUT ROWID;

    """
}
