extension Schema {
  static let version3 = sourceColumn + makingIndex

  /// What a thumbnail was made from: the original of an image whose feed names none, or a named one
  /// that was too large to be stored as it came.
  ///
  /// SHA-256 in lower-case hexadecimal digits; nil for one that is stored as it came.
  private static let sourceColumn = """
    ALTER TABLE thumbnail ADD COLUMN source_sha256 TEXT;

    """

  /// For the thumbnails that are to be made (`ThumbnailState.unmade`).
  private static let makingIndex = """
    CREATE INDEX image_thumbnail_unmade ON image(feed_id, date DESC, place)
      WHERE is_hidden = 0 AND thumbnail_state = 0;

    """
}
