import Workers

/// What a server, or libpq, has said of a statement that failed.
struct PostgresError: Error {
  /// Five letters (postgresql.org/docs/15/errcodes-appendix.html); empty when there was no answer.
  var state = ""
  var message: String
  /// Whether the connection is lost with it.
  var isConnectionLost = false

  /// Whether the transaction may succeed when it is tried again: others have written the same rows.
  var isOfConcurrency: Bool { ["40001", "40P01", "23505"].contains(state) }

  /// Whether the database has no library.
  var isOfMissingTable: Bool { state == "42P01" || state == "3F000" }

  /// The same as the store's error.
  func storeError(_ path: String) -> StoreError {
    StoreError(reason: reason, path: path, message: message)
  }

  private var reason: StoreError.Reason {
    switch (state.prefix(2), state) {
    case (_, "42P01"), (_, "3F000"): .noLibrary
    case (_, "53100"): .full
    case (_, "25006"): .readOnly
    case (_, "42501"), ("28", _): .forbidden
    case (_, "55P03"), (_, "57014"), (_, "40001"), (_, "40P01"), (_, "53300"): .busy
    case ("XX", _): .unsound
    case ("08", _): .databaseUnreachable
    case _ where isConnectionLost: .databaseUnreachable
    default: .other
    }
  }
}
