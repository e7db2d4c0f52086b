import GRDB
import Workers

extension DatabaseQueue {
  /// Writes in one transaction, and tells a stopwatch, if there is one, what that took.
  func write<Result>(
    timedBy stopwatch: Stopwatch?,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    guard let stopwatch else { return try writing(body) }
    let start = stopwatch.now
    var end = start
    var rows = 0
    let result = try writing { db in
      let before = db.totalChangesCount
      defer { (end, rows) = (stopwatch.now, db.totalChangesCount - before) }
      return try body(db)
    }
    stopwatch.add(.committing, since: end) { $0.transactions += 1 }
    stopwatch.add { timings in
      timings[.storing] += end - start
      timings.counts.rows += rows
    }
    return result
  }

  private func writing<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try writeWithoutTransaction { db in try db.writing(body) }
  }
}
