extension Schema {
  /// The galleries that this library mirrors, and the rows that are copies of theirs.
  ///
  /// - `mirror.feed_id` is the gallery among the feeds, `library` the UUID of its library.
  /// - `cursor` is the position up to which its changes have been applied; NULL when it is to be compared as a whole.
  /// - `origin_id` and `origin_seq` are the id and the last change number in the gallery.
  /// - `mirror_feed.is_gone` marks a feed that the gallery does not have any more, or that was removed with the
  ///   gallery. The user does not want a feed that is removed here but not gone.
  /// - `mirror_image.original_sha256` is the hash of the original that the gallery has stored; NULL without one.
  /// - `mirror_thumbnail` has the thumbnails that are still to be fetched, with the pack of the gallery that each is in.
  static let mirrors = """
    CREATE TABLE mirror (
      feed_id INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      library TEXT NOT NULL,
      cursor TEXT,
      is_static INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE mirror_feed (
      mirror_id INTEGER NOT NULL REFERENCES mirror(feed_id) ON DELETE CASCADE,
      origin_id INTEGER NOT NULL,
      origin_seq INTEGER NOT NULL,
      feed_id INTEGER NOT NULL UNIQUE REFERENCES feed(id) ON DELETE CASCADE,
      is_gone INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (mirror_id, origin_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE mirror_image (
      image_id INTEGER PRIMARY KEY REFERENCES image(id) ON DELETE CASCADE,
      mirror_id INTEGER NOT NULL REFERENCES mirror(feed_id) ON DELETE CASCADE,
      origin_id INTEGER NOT NULL,
      origin_seq INTEGER NOT NULL,
      is_pinned INTEGER NOT NULL DEFAULT 0,
      original_sha256 BLOB
    ) STRICT;
    CREATE UNIQUE INDEX mirror_image_origin ON mirror_image(mirror_id, origin_id);
    CREATE INDEX mirror_image_pinned ON mirror_image(mirror_id, origin_id) WHERE is_pinned = 1;
    CREATE INDEX mirror_image_original ON mirror_image(mirror_id, image_id)
      WHERE original_sha256 IS NOT NULL;
    CREATE TABLE mirror_thumbnail (
      image_id INTEGER PRIMARY KEY REFERENCES image(id) ON DELETE CASCADE,
      mirror_id INTEGER NOT NULL REFERENCES mirror(feed_id) ON DELETE CASCADE,
      sha256 BLOB NOT NULL,
      bytes INTEGER NOT NULL,
      pack_sha256 BLOB,
      pack_offset INTEGER
    ) STRICT;
    CREATE INDEX mirror_thumbnail_pack ON mirror_thumbnail(mirror_id, pack_sha256, pack_offset);

    """
}

extension Schema {
  /// The keys with which mirrored galleries sign: the eighth migration.
  static let mirrorKeys = """
    CREATE TABLE mirror_key (
      feed_id INTEGER PRIMARY KEY REFERENCES mirror(feed_id) ON DELETE CASCADE,
      public_key TEXT NOT NULL
    ) STRICT;

    """
}

extension Schema {
  /// The folders that each sync exports to: the second migration.
  ///
  /// `feed_id`, `list_id`, `manifest_id` and `search` select the images. The folder of a purged feed gets no new
  /// images. `is_missing` marks a folder that a sync has reported as missing.
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
