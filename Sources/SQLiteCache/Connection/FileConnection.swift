import Glibc
import LibraryFiles
import Store
import Workers

/// A connection to a library's file, which one thread at a time uses; that thread's uses may be nested.
///
/// A lock that the thread may take again keeps other threads out, so the connection may go from thread to thread.
final class FileConnection: @unchecked Sendable {
  private let db: Connection
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  /// Whether the file is of an older version, so that the connection has made the missing tables for itself.
  private let isOfOlderFile: Bool

  /// - Parameters:
  ///   - db: The connection, which nothing else uses from now on.
  ///   - isOfOlderFile: Whether the file is of an older version.
  init(_ db: Connection, isOfOlderFile: Bool = false) {
    (self.db, self.isOfOlderFile) = (db, isOfOlderFile)
    lock = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(lock, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Runs queries, while no other thread can use the connection.
  func use<Result>(_ body: (Connection) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(db)
  }

  /// Whether the file has been migrated since, so that the connection's own tables hide the file's.
  var isOutdated: Bool {
    guard isOfOlderFile else { return false }
    let version = try? use { db in try FileVersion(db) }
    return version == .ours(Schema.version)
  }
}

extension Connection {
  /// Opens a library's file.
  static func open(_ path: String, isReadOnly: Bool = false) throws -> Connection {
    let driver = try SQLiteDriver(
      path: path,
      isReadOnly: isReadOnly,
      waiting: Limits.busyMilliseconds
    )
    try addFunctions(to: driver)
    let db = Connection(driver)
    if !isReadOnly { try db.execute("PRAGMA foreign_keys = ON") }
    return db
  }

  /// Adds the functions that the schema uses.
  static func addFunctions(to driver: SQLiteDriver) throws(SQLiteError) {
    try driver.add(function: "letter_pairs") { LetterPairs.index(of: $0, $1, $2) }
    try driver.add(function: "search_words") { text, _, _ in text.map { LetterPairs($0).rest } }
    try driver.add(function: "key_of_title") { title, _, _ in TitleKey.of(title) }
  }
}
