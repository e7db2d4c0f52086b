extension Schema {
  static let version4 = reachColumns + askingAnew

  /// How far a feed's content may lead the network.
  private static let reachColumns = """
    ALTER TABLE feed ADD COLUMN reach INTEGER;
    ALTER TABLE feed ADD COLUMN private_host TEXT;

    """

  /// The next sync asks for every document, and so learns of every feed what it may reach before any
  /// of its pictures is asked for.
  private static let askingAnew = """
    UPDATE feed SET next_sync_at = NULL;

    """
}
