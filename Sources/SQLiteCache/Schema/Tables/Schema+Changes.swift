extension Schema {
  static let changes = libraryTable + pinTable + tombstoneTable + changeIndexes

  /// The library itself, in one row.
  ///
  /// - `uuid` identifies the library, `epoch` tells its states before a backup was restored from those after.
  /// - `change_seq` is the number of the last transaction that changed a feed, an image or a pin (`ChangeLog`).
  /// - `pruned_seq` is the highest number of a tombstone that was deleted for its age (`ChangeLog.prune`).
  private static let libraryTable = """
    CREATE TABLE library (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      uuid TEXT NOT NULL,
      epoch INTEGER NOT NULL DEFAULT 1,
      change_seq INTEGER NOT NULL DEFAULT 0,
      pruned_seq INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    \(insertLibrary)

    """

  /// Gives a library its UUID (RFC 9562, section 5.4), unless it has one.
  static let insertLibrary = """
    INSERT OR IGNORE INTO library(id, uuid) SELECT 1, lower(
      hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
      || '-' || substr('89AB', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2)
      || '-' || hex(randomblob(6))
    );
    """

  private static let pinTable = """
    CREATE TABLE pin (
      image_id INTEGER PRIMARY KEY REFERENCES image(id) ON DELETE CASCADE,
      pinned_at INTEGER NOT NULL,
      change_seq INTEGER NOT NULL
    ) STRICT;

    """

  /// The feeds, images and pins that were removed or hidden, each with the number and the date of that change.
  ///
  /// `type` is a `ChangedKind`.
  private static let tombstoneTable = """
    CREATE TABLE tombstone (
      type INTEGER NOT NULL,
      id INTEGER NOT NULL,
      change_seq INTEGER NOT NULL,
      removed_at INTEGER NOT NULL,
      PRIMARY KEY (type, id)
    ) STRICT, WITHOUT ROWID;

    """

  /// Each index is in the order of changes, because its entries end with the ids of their rows.
  private static let changeIndexes = """
    CREATE INDEX feed_change ON feed(change_seq) WHERE is_removed = 0;
    CREATE INDEX image_change ON image(change_seq) WHERE is_hidden = 0;
    CREATE INDEX pin_change ON pin(change_seq);
    CREATE INDEX tombstone_change ON tombstone(change_seq, type, id, removed_at);

    """
}
