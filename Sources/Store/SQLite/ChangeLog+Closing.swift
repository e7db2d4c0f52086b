/// The change log of SQLite, in which the row of `library` has the number of the last change.
extension ChangeLog {
  /// Ends a transaction: stores the highest number of any row as the last one.
  ///
  /// A transaction that changes no such row takes no number.
  package static func close(_ db: Connection) throws { try db.run(closeSQL) }

  package static let closeSQL = """
    UPDATE library SET change_seq = \(highest) WHERE change_seq < \(highest)
    """

  /// The highest number of any row, read from the ends of four indexes.
  private static let highest =
    "max("
    + ["image WHERE is_hidden = 0", "feed WHERE is_removed = 0", "pin", "tombstone"].map { rows in
      "coalesce((SELECT change_seq FROM \(rows) ORDER BY change_seq DESC LIMIT 1), 0)"
    }.joined(separator: ", ") + ")"
}
