import GRDB

extension Database {
  /// How long the write-ahead log becomes before what is in it is moved, and how much of its file stays then.
  enum LogLength {
    /// `Limits.logPages`, and `Limits.logBytesKept`.
    case short
    /// As many pages, and all of the file: what is written without a pause would only make it longer again.
    case uncut
    /// `Limits.longLogPages`, and all of the file.
    case long
  }

  /// Says when a transaction moves the log, and what the next one behind such a move does with the file
  /// (sqlite.org/pragma.html, wal_autocheckpoint and journal_size_limit).
  func keepLog(_ length: LogLength) throws {
    let (pages, bytes) =
      switch length {
      case .short: (Limits.logPages, Limits.logBytesKept)
      case .uncut: (Limits.logPages, -1)
      case .long: (Limits.longLogPages, -1)
      }
    try execute(
      sql: """
        PRAGMA wal_autocheckpoint = \(pages);
        PRAGMA journal_size_limit = \(bytes);
        """
    )
  }
}
