import GRDB
import Workers

/// A connection that is opened with the first question; an opening that failed is tried again.
final class LazyConnection: Sendable {
  private let connection = Locked<DatabaseQueue?>(nil)
  private let open: @Sendable () throws(StoreError) -> DatabaseQueue

  init(open: @escaping @Sendable () throws(StoreError) -> DatabaseQueue) { self.open = open }

  func opened() throws(StoreError) -> DatabaseQueue {
    let result: Result<DatabaseQueue, StoreError> = connection.withLock { connection in
      if let connection { return .success(connection) }
      do throws(StoreError) {
        let opened = try open()
        connection = opened
        return .success(opened)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
