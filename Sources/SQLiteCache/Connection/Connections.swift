import CSQLite
import GRDB
import Workers

/// A connection that is opened with the first question; an opening that failed is tried again.
final class LazyConnection: Sendable {
  /// What is open, and which file that was by its name then.
  private struct Opened {
    var queue: DatabaseQueue
    var file: FileIdentity?
  }

  private let connection = Locked<Opened?>(nil)
  /// The file that must keep its name while it is open; nil where that does not matter.
  private let path: String?
  private let open: @Sendable () throws(StoreError) -> DatabaseQueue

  /// Done once, before the first connection of the process.
  private static let configureSQLite: Void = csqlite_configure()

  init(
    keeping path: String? = nil,
    open: @escaping @Sendable () throws(StoreError) -> DatabaseQueue
  ) {
    self.path = path
    self.open = open
  }

  /// Whether it has been opened.
  var isOpen: Bool { connection.withLock { $0 != nil } }

  /// - Throws: when it cannot be opened, or when another file or none has its name since: what is
  ///   written to it then is in nobody's library.
  func opened() throws(StoreError) -> DatabaseQueue {
    let result: Result<DatabaseQueue, StoreError> = connection.withLock { connection in
      do throws(StoreError) {
        if let connection { return .success(try checked(connection)) }
        Self.configureSQLite
        let queue = try open()
        connection = Opened(queue: queue, file: path.flatMap(FileIdentity.init))
        return .success(queue)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func checked(_ connection: Opened) throws(StoreError) -> DatabaseQueue {
    guard let path, FileIdentity(path) != connection.file else { return connection.queue }
    let message = "it was deleted or replaced meanwhile"
    throw StoreError(reason: .readOnly, path: path, message: message)
  }
}
