import Workers

/// The change log of PostgreSQL, in which the number of a change comes from the number of its transaction.
extension ChangeLog {
  /// The version of the library, from the ends of indexes.
  ///
  /// The next writer gives a library on another server its next epoch (`noticeRestore`). Readers do not wait for that.
  static var postgresVersion: String {
    let ends = [
      "image WHERE is_hidden = 0", "feed WHERE NOT is_removed", "pin WHERE true",
      "tombstone WHERE true",
    ]
    .map { rows in "(SELECT max(change_seq) FROM \(rows)\(Dialect.postgres.isSettled))" }
    return """
      SELECT CAST(uuid AS text), CASE WHEN server <> \(server) THEN epoch + 1 ELSE epoch END,
        coalesce(greatest(\(ends.joined(separator: ", "))), 0) FROM library
      """
  }

  /// The server and the tables that hold the library; NULL on a standby.
  ///
  /// A server is known by its identifier and the timeline of its log (postgresql.org/docs/15/continuous-archiving.html,
  /// section 26.3.6). A standby that takes over changes the timeline, too. On the same server, a dump is restored into a
  /// new database or new tables, so their identifiers count, too.
  private static let server = """
    CASE WHEN NOT pg_is_in_recovery() THEN
      (SELECT CAST(system_identifier AS text) FROM pg_control_system())
        || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
        || ' ' || (SELECT oid FROM pg_database WHERE datname = current_database())
        || ' ' || CAST(CAST('library' AS regclass) AS oid)
    END
    """

  /// Checks whether the library is on another server, or is restored from a backup.
  ///
  /// The last transactions may then be missing, because a standby that takes over may lack them, too. But clients may
  /// have seen them. So clients are told to compare everything (`epoch`), and neither the numbers of changes nor the ids
  /// of the missing transactions are used again. The numbers of transactions may be lower than before, too.
  package static func noticeRestore(_ db: Connection) throws {
    let moved = """
      SELECT server IS NOT NULL FROM library WHERE server IS DISTINCT FROM \(server) FOR UPDATE
      """
    guard let isContinued: Bool = try db.value(moved) else { return }
    if isContinued {
      for sequence in ["image_id", "feed_id_seq"] {
        let sql = "SELECT setval('\(sequence)', last_value + $1) FROM \(sequence)"
        try db.run(sql, LibraryVersion.idsLeftOut)
      }
    }
    let transaction = "CAST(CAST(pg_current_xact_id() AS text) AS bigint)"
    let sql = """
      UPDATE library SET server = \(server), epoch = epoch + $1,
        change_base = greatest(
          change_base,
          greatest(\(highest) + 1, (epoch + $1) * $1 * $2) - \(transaction)
        )
      """
    let step: Int64 = isContinued ? 1 : 0
    try db.run(sql, step, LibraryVersion.numbersOfEpoch)
  }

  /// The SQL of the last change's number, for a statement that reads `library`.
  private static let highest = """
    greatest(0, (SELECT max(change_seq) FROM image), (SELECT max(change_seq) FROM feed),
      (SELECT max(change_seq) FROM pin), (SELECT max(change_seq) FROM tombstone), pruned_seq)
    """

  /// The number of the last change that this transaction sees, even above `change_limit`.
  package static func highest(_ db: Connection) throws -> Int64 {
    try db.value("SELECT \(highest) FROM library") ?? 0
  }
}
