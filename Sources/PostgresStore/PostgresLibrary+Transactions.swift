import Glibc
package import Store
package import Workers

/// Transactions, and their repetition after a conflict or the loss of a connection.
extension PostgresLibrary {
  /// Reads one state of the library, in a transaction; no read is kept waiting by longer ones.
  package func reading<Value: Sendable>(
    _ length: ReadLength,
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await pool.run { (lane) throws(StoreError) in
      try self.transact(.reading, on: lane, body)
    }
  }

  /// Runs one query without a transaction, which saves two messages to the server.
  ///
  /// A single statement always reads one state.
  package func asking<Value: Sendable>(
    _ length: ReadLength = .long,
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await pool.run { (lane) throws(StoreError) in
      try self.transact(.asking, on: lane, body)
    }
  }

  /// Reads from any connection: what a transaction has written, all of them see.
  package func readingWritten<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await reading(.long, body)
  }

  package func writing<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await pool.run { (lane) throws(StoreError) in
      try self.transact(.writing, on: lane, body)
    }
  }

  package func changing<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await pool.run { (lane) throws(StoreError) in
      try self.makeTables(on: lane, beginsLibrary: false)
      return try self.transact(.writing, on: lane, body)
    }
  }

  /// Does the same as `asking`, on a thread that may wait.
  func askingNow<Value>(
    _ body: (Connection) throws -> Value
  ) throws(StoreError) -> Value {
    try pool.runNow { (lane) throws(StoreError) in try transact(.asking, on: lane, body) }
  }

  func writingNow<Value>(
    _ body: (Connection) throws -> Value
  ) throws(StoreError) -> Value {
    try pool.runNow { (lane) throws(StoreError) in try transact(.writing, on: lane, body) }
  }

  /// Runs statements in the session that has the locks, each in its own transaction.
  func locking<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await locks.run { (lane) throws(StoreError) in
      try self.makeTables(on: lane)
      return try self.catching { try body(try lane.opened()) }
    }
  }

  enum Mode {
    case asking
    case reading
    case writing

    /// Nil for one statement, which is already a transaction.
    var transaction: Connection.Mode? {
      switch self {
      case .asking: nil
      case .reading: .reading
      case .writing: .writing
      }
    }
  }

  /// The most attempts at a transaction that conflicts with others, or whose connection is lost.
  private static let tries = 5

  func transact<Value>(
    _ mode: Mode,
    on lane: ConnectionPool.Lane,
    isChecking: Bool = true,
    _ body: (Connection) throws -> Value
  ) throws(StoreError) -> Value {
    if mode == .writing, isChecking { try makeTables(on: lane) }
    var tries = 1
    while true {
      var isEnding = false
      do {
        return try attempt(mode, on: lane, isChecking, isEnding: &isEnding, body)
      } catch let error as PostgresError
        where tries < Self.tries && (error.isOfConcurrency || error.isConnectionLost && !isEnding)
      {
        // The pauses last two seconds in total, because another server may be taking over.
        if error.isConnectionLost { usleep(Self.pauseMicroseconds << UInt32(tries)) }
        tries += 1
      } catch {
        throw storeError(error)
      }
    }
  }

  private static let pauseMicroseconds: UInt32 = 66_000

  /// Makes one attempt at a transaction; `isEnding` tells whether the server may have ended it.
  private func attempt<Value>(
    _ mode: Mode,
    on lane: ConnectionPool.Lane,
    _ isChecking: Bool,
    isEnding: inout Bool,
    _ body: (Connection) throws -> Value
  ) throws -> Value {
    let connection = try lane.opened()
    let driver = connection.postgres
    do {
      if let mode = mode.transaction { try connection.begin(mode) }
      if isChecking { try checkVersion(lane, connection) }
      if isChecking, mode == .writing, lane.isOfBackup, !writesBackup.withLock({ $0 }) {
        throw StoreError(reason: .backup, path: path, message: "")
      }
      if isChecking, mode == .writing, !lane.isNoticed {
        // After a loss, a new connection may lead to another server.
        try ChangeLog.noticeRestore(connection)
      }
      let count = driver.statementCount
      let value = try body(connection)
      isEnding = mode == .writing
      if mode == .asking {
        assert(driver.statementCount <= count + 1, "more than one question")
      } else {
        try connection.commit()
        if mode == .writing, isChecking { lane.isNoticed = true }
      }
      return value
    } catch {
      if driver.isOpen, mode != .asking { try connection.rollBack() }
      throw error
    }
  }

  func catching<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do { return try body() } catch { throw storeError(error) }
  }

  private func storeError(_ error: any Error) -> StoreError {
    switch error {
    case let error as StoreError: error
    case let error as PostgresError: error.storeError(path)
    case let error as UnexpectedAnswer:
      StoreError(reason: .other, path: path, message: error.message)
    default: StoreError(reason: .other, path: path, message: "\(error)")
    }
  }
}
