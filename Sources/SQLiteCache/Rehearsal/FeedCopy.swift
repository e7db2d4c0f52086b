import GRDB
import Models

/// Copies what a library has of one feed into an empty one.
///
/// Pictures stay behind: a thumbnail's row comes with no bytes, and an original's without its file.
struct FeedCopy {
  private static let images = "image_id IN (SELECT id FROM image WHERE feed_id = ?)"

  /// The tables, each behind those that it refers to, and which of their rows are the feed's.
  private static let tables = [
    ("feed", "id = ?"),
    ("feed_alias", "feed_id = ?"),
    ("listed_feed", "list_id = ?"),
    ("feed", "id <> ?1 AND identity IN (SELECT identity FROM listed_feed WHERE list_id = ?1)"),
    ("image", "feed_id = ?"),
    ("member", "feed_id = ?"),
    ("member_image", "member_id IN (SELECT id FROM member WHERE feed_id = ?)"),
    ("thumbnail", images),
    ("original", "id IN (SELECT original_id FROM image_original WHERE \(images))"),
    ("image_original", images),
    ("picture_failure", images),
  ]

  let source: Database
  let target: Database

  /// Copies the feed that has an address, or had it before; nothing when there is none.
  func copy(feedAt address: WebAddress) throws {
    guard let id = try FeedQueries.id(at: address, source) else { return }
    for (table, condition) in Self.tables { try copy(table, where: condition, feedID: id) }
  }

  private func copy(_ table: String, where condition: String, feedID: Int64) throws {
    let sql = "SELECT name FROM pragma_table_info(?, 'main')"
    let columns = try String.fetchAll(source, sql: sql, arguments: [table])
    let values = columns.map { table == "thumbnail" ? Self.withoutBytes($0) : $0 }
    let rows = try Row.fetchCursor(
      source,
      sql: "SELECT \(values.joined(separator: ", ")) FROM main.\(table) WHERE \(condition)",
      arguments: [feedID]
    )
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let names = columns.joined(separator: ", ")
    let insertion = try target.makeStatement(
      sql: "INSERT INTO \(table)(\(names)) VALUES (\(marks))"
    )
    while let row = try rows.next() {
      try insertion.execute(arguments: StatementArguments(row.databaseValues))
    }
  }

  /// The value of a thumbnail's column that leaves its bytes behind.
  private static func withoutBytes(_ column: String) -> String {
    switch column {
    case "data": "x''"
    case "pack_id": "NULL"
    default: column
    }
  }
}
