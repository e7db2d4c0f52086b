import Dispatch
import LibraryFiles
import Store
import Workers

/// The pool of connections to a library.
///
/// Each connection has its own serial queue, and opens when its first query runs. The pool gives a query to a
/// connection with the fewest queries. It prefers the one that it used last, so it opens only as many as it needs.
final class ConnectionPool: Sendable {
  final class Lane: Sendable {
    private let queue = DispatchQueue(label: "gallery.library.postgres")
    private let open: @Sendable () throws(PostgresError) -> Connection
    /// The connection; nil until it is opened.
    ///
    /// After a loss, the lost connection stays here until `opened` replaces it. Only work on the queue uses this
    /// property, one item at a time.
    private nonisolated(unsafe) var connection: Connection?
    /// Whether the connection's library is known to have a version that this program can use.
    nonisolated(unsafe) var isChecked = false
    /// Whether the connection's library is known to be a backup.
    nonisolated(unsafe) var isOfBackup = false
    /// Whether `ChangeLog.noticeRestore` has run on this connection, in a transaction that was committed.
    nonisolated(unsafe) var isNoticed = false

    init(_ open: @escaping @Sendable () throws(PostgresError) -> Connection) {
      self.open = open
    }

    func run<Value: Sendable>(
      _ work: @escaping @Sendable (Lane) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
      try await queue.run { () throws(StoreError) in try work(self) }
    }

    func runNow<Value>(_ work: (Lane) throws(StoreError) -> Value) throws(StoreError) -> Value {
      let result: Result<Value, StoreError> = queue.sync {
        do throws(StoreError) { return .success(try work(self)) } catch { return .failure(error) }
      }
      return try result.get()
    }

    func start(_ work: @escaping @Sendable (Lane) -> Void) { queue.async { work(self) } }

    /// The connection, which is opened if necessary; only for work on the queue.
    func opened() throws(PostgresError) -> Connection {
      if let connection, connection.postgres.isOpen { return connection }
      let connection = try open()
      (self.connection, isChecked, isNoticed) = (connection, false, false)
      return connection
    }

    /// The connection, if it has been opened.
    var openedConnection: Connection? { connection }
  }

  private static let most = 6

  private let lanes: [Lane]
  /// The number of queries on each connection, and the index of the connection that was used last.
  private let state: Locked<(loads: [Int], last: Int)>

  init(_ open: @escaping @Sendable () throws(PostgresError) -> Connection) {
    lanes = (0..<Self.most).map { _ in Lane(open) }
    state = Locked((loads: Array(repeating: 0, count: Self.most), last: 0))
  }

  func run<Value: Sendable>(
    _ work: @escaping @Sendable (Lane) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let index = take()
    defer { give(back: index) }
    return try await lanes[index].run(work)
  }

  /// Runs work, and blocks the calling thread until it ends.
  func runNow<Value>(_ work: (Lane) throws(StoreError) -> Value) throws(StoreError) -> Value {
    let index = take()
    defer { give(back: index) }
    return try lanes[index].runNow(work)
  }

  private func take() -> Int {
    state.withLock { state in
      let least = state.loads.min() ?? 0
      let index =
        state.loads[state.last] == least ? state.last : state.loads.firstIndex(of: least) ?? 0
      state.loads[index] += 1
      state.last = index
      return index
    }
  }

  private func give(back index: Int) { state.withLock { $0.loads[index] -= 1 } }
}
