import Workers

/// The tables of a library in PostgreSQL, in the schema that its address names, else `public`.
///
/// They are those of SQLite (`SQLiteCache/Schema`), with the same columns for the same facts. The differences are:
///
/// - Images are partitioned by the hash of their feed; `feed_id` leads the keys that a feed's sync uses.
/// - The bytes of thumbnails are in `thumbnail`, so that every machine has them, or in a pack in the object store.
/// - `image.folded_words` has the words of an image for searches, `member.folded_words` those of a manifest
///   (`SearchWords`).
/// - The number of a change is that of the transaction (`next_change`).
/// - `original.put_at` is the time at which the object store got the original; NULL until then.
/// - `followed_folder.machine` is the host name of the machine that has the folder.
/// - `library.schema_version` is negative while the library is the unfinished copy of another one.
enum Schema {
  /// The number of the last migration, which is `Refolding`.
  static let version: Int64 = 2

  private static let partitions = 16

  /// The statements that make a library.
  static var statements: String {
    let parts = (0..<partitions).map { number in
      """
      CREATE TABLE image_\(number) PARTITION OF image
        FOR VALUES WITH (MODULUS \(partitions), REMAINDER \(number));
      """
    }
    let tables = [
      libraryTables, mirrorKeys, feedTables, feedPictures, imageTables, imageIndexes, renditions,
    ]
    let pictures = [pictureTables, successors, folderOriginals, details, detailIndexes]
    return (tables + parts + pictures).joined(separator: "\n")
  }

  /// The keys with which mirrored galleries sign, which older libraries get with their next write.
  static let mirrorKeys = """
    CREATE TABLE mirror_key (
      feed_id bigint PRIMARY KEY,
      public_key text NOT NULL
    );

    """

  /// The other renditions of images, which older libraries get with their next write.
  static let renditions = """
    CREATE TABLE rendition (
      image_id bigint PRIMARY KEY,
      addresses text NOT NULL
    );

    """

  /// Which pictures of feeds' entries are images, which older libraries get with their next write.
  static let feedPictures = """
    CREATE TABLE feed_pictures (
      feed_id bigint PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
      takes_front bigint NOT NULL DEFAULT 0,
      repeated text NOT NULL DEFAULT '',
      referer bigint
    );

    """

  /// The library itself, its change log, and the tables that belong to no feed.
  ///
  /// A transaction gets its number when it begins to write, not when it ends. So readers stop before the oldest
  /// transaction that is still running (`change_limit`), and miss no change that is committed later. `change_base` is
  /// added to the numbers of a library that has moved to another server (`ChangeLog.noticeRestore`).
  private static let libraryTables = """
    CREATE TABLE library (
      id boolean PRIMARY KEY DEFAULT true CHECK (id),
      schema_version bigint NOT NULL,
      uuid uuid NOT NULL DEFAULT gen_random_uuid(),
      epoch bigint NOT NULL DEFAULT 1,
      server text,
      change_base bigint NOT NULL DEFAULT 0,
      pruned_seq bigint NOT NULL DEFAULT 0
    );
    INSERT INTO library(schema_version) VALUES (\(version));
    CREATE FUNCTION next_change() RETURNS bigint LANGUAGE sql VOLATILE AS $$
      SELECT change_base + pg_current_xact_id()::text::bigint FROM library
    $$;
    CREATE FUNCTION change_limit() RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT change_base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint FROM library
    $$;
    CREATE FUNCTION now_seconds() RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT extract(epoch FROM now())::bigint
    $$;
    CREATE TABLE pin (
      image_id bigint PRIMARY KEY,
      pinned_at bigint NOT NULL,
      change_seq bigint NOT NULL
    );
    CREATE INDEX pin_change ON pin(change_seq, image_id);
    CREATE TABLE tombstone (
      type bigint NOT NULL,
      id bigint NOT NULL,
      change_seq bigint NOT NULL,
      removed_at bigint NOT NULL,
      PRIMARY KEY (type, id)
    );
    CREATE INDEX tombstone_change ON tombstone(change_seq, type, id);
    CREATE TABLE host (
      name text COLLATE "C" PRIMARY KEY,
      paused_until bigint NOT NULL
    );
    CREATE TABLE verification (
      part text PRIMARY KEY,
      last_id bigint NOT NULL
    );
    CREATE TABLE followed_folder (
      machine text COLLATE "C" NOT NULL,
      path text COLLATE "C" NOT NULL,
      feed_id bigint,
      list_id bigint,
      manifest_id bigint,
      search text,
      template text NOT NULL,
      sidecars text,
      is_missing boolean NOT NULL,
      PRIMARY KEY (machine, path)
    );
    CREATE TABLE mirror (
      feed_id bigint PRIMARY KEY,
      library text NOT NULL,
      cursor text,
      is_static boolean NOT NULL
    );
    CREATE TABLE mirror_feed (
      mirror_id bigint NOT NULL,
      origin_id bigint NOT NULL,
      origin_seq bigint NOT NULL,
      feed_id bigint NOT NULL UNIQUE,
      is_gone boolean NOT NULL,
      PRIMARY KEY (mirror_id, origin_id)
    );
    CREATE TABLE mirror_image (
      image_id bigint PRIMARY KEY,
      mirror_id bigint NOT NULL,
      origin_id bigint NOT NULL,
      origin_seq bigint NOT NULL,
      is_pinned boolean NOT NULL DEFAULT false,
      original_sha256 bytea,
      UNIQUE (mirror_id, origin_id)
    );
    CREATE INDEX mirror_image_original ON mirror_image(mirror_id, image_id)
      WHERE original_sha256 IS NOT NULL;
    CREATE TABLE mirror_thumbnail (
      image_id bigint PRIMARY KEY,
      mirror_id bigint NOT NULL,
      sha256 bytea NOT NULL,
      bytes bigint NOT NULL,
      pack_sha256 bytea,
      pack_offset bigint
    );
    CREATE INDEX mirror_thumbnail_pack ON mirror_thumbnail(mirror_id, pack_sha256, pack_offset);
    CREATE TABLE setting (
      name text COLLATE "C" PRIMARY KEY,
      value text NOT NULL
    );

    """

  /// The tables of feeds; `feed_lock` has the feeds and hosts that processes have locked (`FeedLeases`).
  private static let feedTables = """
    CREATE TABLE feed (
      id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
      address text COLLATE "C" NOT NULL,
      identity text COLLATE "C" NOT NULL UNIQUE,
      title text,
      given_title text,
      format text,
      etag text,
      last_modified text,
      added_at bigint NOT NULL,
      synced_at bigint,
      status text,
      problem text,
      image_count bigint NOT NULL DEFAULT 0,
      document_image_count bigint NOT NULL DEFAULT 0,
      is_whole boolean NOT NULL DEFAULT false,
      is_removed boolean NOT NULL DEFAULT false,
      moved_to text,
      is_paused boolean NOT NULL DEFAULT false,
      next_sync_at bigint,
      excess_count bigint NOT NULL DEFAULT 0,
      reach bigint,
      private_host text,
      list_depth bigint NOT NULL DEFAULT 0,
      hub text,
      topic text,
      given_interval bigint,
      due_at bigint,
      failures bigint NOT NULL DEFAULT 0,
      changes text NOT NULL DEFAULT '',
      least_interval bigint NOT NULL DEFAULT 0,
      skipped_hours bigint NOT NULL DEFAULT 0,
      skipped_days bigint NOT NULL DEFAULT 0,
      kept_images bigint,
      kept_originals bigint,
      change_seq bigint NOT NULL
    );
    CREATE INDEX feed_change ON feed(change_seq, id) WHERE NOT is_removed;
    CREATE TABLE feed_alias (
      identity text COLLATE "C" PRIMARY KEY,
      address text COLLATE "C" NOT NULL,
      feed_id bigint NOT NULL REFERENCES feed(id) ON DELETE CASCADE
    );
    CREATE INDEX feed_alias_feed ON feed_alias(feed_id);
    CREATE SEQUENCE lock_fence;
    CREATE TABLE feed_lock (
      identity text COLLATE "C" PRIMARY KEY,
      holder bigint NOT NULL,
      machine text NOT NULL,
      process bigint NOT NULL,
      since bigint NOT NULL,
      leased_until bigint NOT NULL,
      timeline text NOT NULL,
      session integer NOT NULL,
      fence bigint NOT NULL
    );
    CREATE TABLE listed_feed (
      list_id bigint NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      identity text COLLATE "C" NOT NULL,
      address text NOT NULL,
      position bigint NOT NULL,
      is_declined boolean NOT NULL DEFAULT false,
      leads_to text COLLATE "C",
      PRIMARY KEY (list_id, identity)
    );
    CREATE INDEX listed_feed_identity ON listed_feed(identity);
    CREATE INDEX listed_feed_page ON listed_feed(leads_to) WHERE leads_to IS NOT NULL;
    CREATE TABLE member (
      id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
      feed_id bigint NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      position bigint NOT NULL,
      address text COLLATE "C" NOT NULL,
      etag text,
      last_modified text,
      label text,
      page_address text,
      attribution text,
      rights text,
      details text,
      folded_words tsvector NOT NULL,
      UNIQUE (feed_id, address)
    );
    CREATE INDEX member_address ON member(address);
    CREATE INDEX member_words ON member USING gin(folded_words);
    CREATE TABLE member_image (
      member_id bigint NOT NULL REFERENCES member(id) ON DELETE CASCADE,
      image_id bigint NOT NULL,
      PRIMARY KEY (member_id, image_id)
    );
    CREATE INDEX member_image_image ON member_image(image_id);
    CREATE TABLE subscription (
      path text COLLATE "C" PRIMARY KEY,
      feed_id bigint NOT NULL,
      hub text NOT NULL,
      topic text NOT NULL,
      callback text NOT NULL,
      secret text NOT NULL,
      reach bigint,
      private_host text,
      is_ending boolean NOT NULL,
      lease_until bigint,
      next_at bigint NOT NULL,
      tries bigint NOT NULL
    );
    CREATE INDEX subscription_feed ON subscription(feed_id);

    """
}
