extension Schema {
  static let refusals = hostTable + failureTable

  /// Hosts that have asked for a pause, by name and port.
  private static let hostTable = """
    CREATE TABLE host (
      name TEXT PRIMARY KEY,
      paused_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  /// Pictures that could not be had, so that they are not asked for again at once.
  ///
  /// - `kind` is a `PictureKind`, `class` a `FailureClass`, `reason` is in words.
  /// - A row counts only for the address that it names: a new address is a new try.
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
