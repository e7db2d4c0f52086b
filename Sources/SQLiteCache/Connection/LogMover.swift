import GRDB
import Workers

/// Moves the write-ahead log into the database on a thread and a connection of its own, while others go on
/// writing.
///
/// SQLite has whoever commits move a log that has grown long, and wait for the disk meanwhile. A log
/// that is moved all along leaves little of that to do. What cannot be moved is left for `flush`, which
/// says what is wrong.
final class LogMover: Sendable {
  private struct State {
    /// What was written since the last move began.
    var bytes = 0
    var isMoving = false
    /// Open from the first move on.
    var queue: DatabaseQueue?
  }

  private let path: String
  private let state = Locked(State())

  /// Takes the path of the database; it is not opened yet.
  init(path: String) { self.path = path }

  /// Notes that so many bytes were committed, and begins to move them when they are many.
  func wrote(_ bytes: Int) {
    state.withLock { state in
      state.bytes += bytes
      guard state.bytes >= Limits.bytesBetweenMoves, !state.isMoving else { return }
      state.bytes = 0
      // Without a connection of its own the log is moved by whoever commits.
      guard let queue = state.queue ?? (try? DatabaseQueue(path: path)) else { return }
      state.queue = queue
      state.isMoving = true
      queue.asyncWriteWithoutTransaction { [self] db in move(db) }
    }
  }

  /// Waits until nothing is moved any more.
  func wait() {
    let queue = state.withLock { $0.queue }
    queue?.unsafeRead { _ in }
  }

  private func move(_ db: Database) {
    // A failure is found again, and told, by `flush`.
    try? db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
    state.withLock { $0.isMoving = false }
  }
}
