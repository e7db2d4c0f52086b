/// The parts of SQL that SQLite and PostgreSQL spell in different ways.
package enum Dialect: Sendable {
  case sqlite
  case postgres

  /// Returns the SQL for its database.
  private func either(_ sqlite: String, _ postgres: String) -> String {
    switch self {
    case .sqlite: sqlite
    case .postgres: postgres
    }
  }

  /// The condition, behind a column, that a list has the column's value: `image_id \(ids(1))`.
  ///
  /// The parameter with this number is an array of integers or texts.
  package func ids(_ parameter: Int) -> String {
    either("IN (SELECT value FROM json_each($\(parameter)))", "= ANY($\(parameter))")
  }

  /// The opposite of `ids`.
  package func notIDs(_ parameter: Int) -> String {
    either("NOT IN (SELECT value FROM json_each($\(parameter)))", "<> ALL($\(parameter))")
  }

  /// A list as the table `list`, with the columns `value` and `place`, which counts from 0.
  package func list(_ parameter: Int) -> String {
    let place = either("key", "ordinality - 1")
    let table = either("json_each", "unnest")
    let numbered = either("", " WITH ORDINALITY AS element(value)")
    return "(SELECT \(place) AS place, value FROM \(table)($\(parameter))\(numbered)) AS list"
  }

  /// The number of this transaction in the change log, for a statement that changes rows.
  package var nextChange: String {
    either("(SELECT change_seq + 1 FROM library)", "(SELECT next_change())")
  }

  /// The time of the statement, in seconds since 1970; PostgreSQL's clock is the server's.
  package var now: String { either("unixepoch()", "now_seconds()") }

  /// The condition, behind others, that a change is not behind one that may still be committed with a lower number.
  ///
  /// SQLite has one writer at a time, so its numbers are in the order of the commits.
  package var isSettled: String { either("", " AND change_seq < (SELECT change_limit())") }

  /// Names the index that a query must read, behind the name of its table; PostgreSQL chooses by its statistics.
  package func hint(_ index: String) -> String { either("INDEXED BY \(index)", "") }

  /// A column whose indexes SQLite must not use; PostgreSQL chooses by its statistics.
  package func unindexed(_ column: String) -> String { either("+\(column)", column) }

  /// The condition that a boolean column is true, as SQLite's partial indexes spell it.
  package func isTrue(_ column: String) -> String { either("\(column) = 1", column) }

  /// The opposite of `isTrue`.
  package func isFalse(_ column: String) -> String { either("\(column) = 0", "NOT \(column)") }

  /// The bytes of a column as text, two lowercase hexadecimal digits for each.
  package func hex(_ bytes: String) -> String {
    either("lower(hex(\(bytes)))", "encode(\(bytes), 'hex')")
  }

  /// The texts of a column in all rows of a group, a line each, in any order; NULL without rows.
  func joined(_ column: String) -> String {
    either("group_concat(\(column), '\n')", "string_agg(\(column), '\n')")
  }

  /// A join that reads the tables in the order of the text, where SQLite could choose the wrong one.
  package var joinInOrder: String { either("CROSS JOIN", "JOIN") }

  /// The collation that compares texts by their bytes, behind a term of ORDER BY.
  ///
  /// SQLite has no other one, and PostgreSQL needs it for columns without a collation.
  package var bytewise: String { either("", #" COLLATE "C""#) }

  /// What makes other transactions wait that would change the rows of a query; SQLite has one writer at a time.
  package var lock: String { either("", " FOR UPDATE") }

  /// The number of newest images of a feed whose originals are kept; the feed's id follows.
  var keptOriginals: String {
    either(
      "originals FROM feed_retention WHERE feed_id",
      "kept_originals FROM feed WHERE id"
    )
  }
}

/// A text for each dialect, which is made once.
struct EachDialect: Sendable {
  private let sqlite: String
  private let postgres: String

  init(_ text: (Dialect) -> String) { (sqlite, postgres) = (text(.sqlite), text(.postgres)) }

  subscript(dialect: Dialect) -> String {
    switch dialect {
    case .sqlite: sqlite
    case .postgres: postgres
    }
  }
}
