extension Schema {
  static let version3 = sourceColumn + makingIndex

  /// What a thumbnail was made from.
  private static let sourceColumn = """
    ALTER TABLE thumbnail ADD COLUMN source_sha256 TEXT;

    """

  private static let makingIndex = """
    CREATE INDEX image_thumbnail_unmade ON image(feed_id, date DESC, place)
      WHERE is_hidden = 0 AND thumbnail_state = 0;

    """
}
