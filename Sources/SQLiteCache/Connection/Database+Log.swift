import GRDB

extension Database {
  /// How much of the write-ahead log's file stays once what was in it has been moved.
  enum LogLength {
    /// `Limits.logBytesKept`.
    case short
    /// As much as there has been: what is written without a pause would only make it longer again.
    case any
  }

  /// Says what the next transaction behind such a move does with the file (sqlite.org/pragma.html,
  /// journal_size_limit).
  func keepLog(_ length: LogLength) throws {
    let bytes =
      switch length {
      case .short: Limits.logBytesKept
      case .any: -1
      }
    try execute(sql: "PRAGMA journal_size_limit = \(bytes)")
  }
}
