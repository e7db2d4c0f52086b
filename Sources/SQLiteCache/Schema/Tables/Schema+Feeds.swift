extension Schema {
  static let feeds = feedTable + aliasTable + listTable + memberTables

  /// The feeds, and the columns whose names do not explain them.
  ///
  /// - `identity` is the same for all spellings of `address` (`WebAddress.identity`); a feed is looked up by it.
  /// - `title` is the document's, `given_title` the user's, which takes precedence.
  /// - `list_depth` is the number of documents between the address that the user named and a list of feeds.
  /// - `moved_to` is the target of the last sync's permanent redirect (301, 308); the address follows when the next
  ///   sync is redirected to the same target.
  /// - `is_paused` marks a feed whose server says that it is gone (410).
  /// - `next_sync_at` is the date from which a sync of all feeds asks again.
  /// - `excess_count` is how often in a row the feed brought more than it may (`FeedBounds`).
  /// - `reach` is a `StoredReach`: how far the feed's content may lead the network; NULL until a response has shown
  ///   whether the feed's address is private.
  /// - `private_host` is the only host name that may lead to private addresses; NULL for none.
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
      excess_count INTEGER NOT NULL DEFAULT 0,
      reach INTEGER,
      private_host TEXT,
      row_checksum INTEGER,
      list_depth INTEGER NOT NULL DEFAULT 0,
      change_seq INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    """

  /// The former addresses of feeds, by which the feeds are still found.
  private static let aliasTable = """
    CREATE TABLE feed_alias (
      identity TEXT PRIMARY KEY,
      address TEXT NOT NULL,
      feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX feed_alias_feed ON feed_alias(feed_id);

    """

  /// The feeds of the lists of feeds (`ListQueries`).
  ///
  /// - `is_declined` marks a feed that the user has removed, and that the list does not bring back.
  /// - `leads_to` is the identity of the feed that a web page on the list leads to; NULL for a feed's own address.
  private static let listTable = """
    CREATE TABLE listed_feed (
      list_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      identity TEXT NOT NULL,
      address TEXT NOT NULL,
      position INTEGER NOT NULL,
      is_declined INTEGER NOT NULL DEFAULT 0,
      leads_to TEXT,
      PRIMARY KEY (list_id, identity)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX listed_feed_identity ON listed_feed(identity);
    CREATE INDEX listed_feed_page ON listed_feed(leads_to) WHERE leads_to IS NOT NULL;

    """

  /// The documents of collections with the images of each, and the texts of manifests about their objects (`Manifest`).
  ///
  /// A document that has not changed need not be read again to know its images.
  ///
  /// - A feed that is a manifest itself has one member with its own address, at position -1, which no sync asks for.
  /// - `details` has a line for each detail, with a tab between label and value.
  private static let memberTables = """
    CREATE TABLE member (
      id INTEGER PRIMARY KEY,
      feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      address TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      label TEXT,
      page_address TEXT,
      attribution TEXT,
      rights TEXT,
      details TEXT,
      UNIQUE (feed_id, address)
    ) STRICT;
    CREATE INDEX member_address ON member(address);
    CREATE TABLE member_image (
      member_id INTEGER NOT NULL REFERENCES member(id) ON DELETE CASCADE,
      image_id INTEGER NOT NULL REFERENCES image(id) ON DELETE CASCADE,
      PRIMARY KEY (member_id, image_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX member_image_image ON member_image(image_id);

    """
}

extension Schema {
  /// The times at which a program that keeps running asks for each feed (`FeedSchedule`): the fourth migration.
  ///
  /// A feed without a row has not been asked for since this table was added.
  ///
  /// - `given_interval` is the number of seconds between two requests that the user has set; NULL to learn it.
  /// - `due_at` is the date of the next request, and `failures` how many requests in a row have failed.
  /// - `changes` are the last dates at which the feed had changed, oldest first, with blanks between them.
  /// - `least_interval`, `skipped_hours` and `skipped_days` are the wishes of the feed's document (`UpdateHints`).
  static let schedules = """
    CREATE TABLE feed_schedule (
      feed_id INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      given_interval INTEGER,
      due_at INTEGER,
      failures INTEGER NOT NULL DEFAULT 0,
      changes TEXT NOT NULL DEFAULT '',
      least_interval INTEGER NOT NULL DEFAULT 0,
      skipped_hours INTEGER NOT NULL DEFAULT 0,
      skipped_days INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    """
}

extension Schema {
  static let refusals = hostTable + failureTable

  /// Hosts that have asked for a pause, by name and port.
  private static let hostTable = """
    CREATE TABLE host (
      name TEXT PRIMARY KEY,
      paused_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  /// Pictures that could not be fetched or made, so that they are not tried again at once.
  ///
  /// - `kind` is a `PictureKind`, `class` a `FailureClass`, `reason` is in words.
  /// - A row counts only for the address that it names: a new address is tried at once.
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
}

extension Schema {
  /// The number of a feed's newest images that are kept, and the number whose originals are kept (`RetentionQueries`);
  /// NULL for all.
  static let retention = """
    CREATE TABLE feed_retention (
      feed_id INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      images INTEGER,
      originals INTEGER
    ) STRICT;

    """

  /// Which pictures of a feed's entries are images: the twelfth migration (`FeedPictureQueries`).
  ///
  /// - `takes_front` is 1 if only the pictures in front of an entry's text are images.
  /// - `repeated` are the identities of the addresses that the entries of the last documents repeated, a line each.
  /// - `referer` is a `PictureReferer`; NULL if the feed's pictures need none.
  static let feedPictures = """
    CREATE TABLE feed_pictures (
      feed_id INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      takes_front INTEGER NOT NULL DEFAULT 0,
      repeated TEXT NOT NULL DEFAULT '',
      referer INTEGER
    ) STRICT;

    """

  /// Retired images have 2 in `is_hidden`: their rows stay, so that they do not come back as new.
  static let retiredIndex = """
    CREATE INDEX image_retired ON image(feed_id) WHERE is_hidden = 2;

    """
}

extension Schema {
  /// The hubs that feeds' documents name, and the subscriptions there: the sixth migration (`SubscriptionQueries`).
  ///
  /// - `feed_hub` has the hub and the topic of each document when it was last read.
  /// - `subscription` does not reference the feed: it outlives the feed until the hub has been told.
  /// - `lease_until` is NULL until the hub has confirmed; `next_at` is the date of the next request to the hub.
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
