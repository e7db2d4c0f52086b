import Store
import Workers

@testable import SQLiteCache

/// A connection of a test to a file, beside those of the library.
extension Store.Connection {
  /// Opens a file for reading and writing, and creates it when it is missing; it waits for no lock.
  static func file(_ path: String) throws -> Store.Connection {
    let driver = try SQLiteDriver(path: path, waiting: 0)
    try addFunctions(to: driver)
    let connection = Store.Connection(driver)
    try connection.run("PRAGMA foreign_keys = ON")
    return connection
  }

  /// Runs statements without parameters, one after another, in a file that a test opens for them alone.
  static func execute(_ statements: String, in path: String) throws {
    try open(path).execute(statements)
  }

  /// The steps of the plan of a query.
  func plan(of query: String) throws -> [String] {
    try explain("QUERY PLAN \(query)") { row in try row.value(3) }
  }

  /// Explains a query to whose parameters nothing is bound (sqlite.org/eqp.html, sqlite.org/opcode.html).
  func explain<Element>(
    _ query: String,
    element: (Store.Row) throws -> Element?
  ) throws -> [Element] {
    let numbers = query.matches(of: /[?$](\d+)/).compactMap { Int($0.1) }
    let count = numbers.max() ?? query.count { $0 == "?" }
    return try rows(
      "EXPLAIN \(query)",
      with: [Int64?](repeating: nil, count: count),
      element: element
    )
  }
}
