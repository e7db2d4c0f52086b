import Models
import Store
import Workers

/// A table of the library, and the rows that a damaged file may have of it.
struct SalvagedTable {
  struct Column {
    let name: String
    let type: String
    let isRequired: Bool
  }

  let name: String
  let columns: [Column]
  /// The column that is the id of the row, and that no row stores; nil for a table without such a column.
  private let idColumn: Int?
  /// Whether its rows have ids, stored as a column or not; a table `WITHOUT ROWID` has none.
  private let hasIDs: Bool

  init(_ name: String, _ db: Connection) throws {
    self.name = name
    let sql = """
      SELECT name, type, "notnull", pk,
        (SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = $1)
      FROM pragma_table_info($1) ORDER BY cid
      """
    let rows = try db.rows(sql, name) { row in
      try (
        column: Column(name: row.value(0), type: row.value(1), isRequired: row.value(2)),
        isKey: row.value(3) as Bool, hasNoIDs: row.value(4) as Bool
      )
    }
    columns = rows.map(\.column)
    let keys = rows.indices.filter { rows[$0].isKey }
    hasIDs = rows.first?.hasNoIDs == false
    let isID = keys.count == 1 && hasIDs
    idColumn = isID && rows[keys[0]].column.type == "INTEGER" ? keys[0] : nil
  }

  /// The values of a row for an INSERT; nil when the row cannot be one of this table.
  func values(_ row: TreePage.Row) -> [CopiedValue]? {
    guard row.values.count == columns.count, (row.id != nil) == hasIDs else { return nil }
    var values = row.values
    for (index, column) in columns.enumerated() {
      if index == idColumn {
        guard case .null = values[index], let id = row.id, id > 0 else { return nil }
        values[index] = .integer(id)
        continue
      }
      switch (values[index], column.type) {
      case (.null, _) where !column.isRequired: continue
      case (.integer, "INTEGER"), (.text, "TEXT"), (.bytes, "BLOB"): continue
      default: return nil
      }
    }
    return values
  }

  var insertion: String {
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT OR IGNORE INTO \(name)(\(names)) VALUES (\(parameters))"
  }
}

/// Finds the rows of tables in a damaged file.
///
/// The tree of a table leads to its pages. A page to which no tree leads any more is recognised by its rows: no two of
/// the tables that are sought for so have rows of the same form.
struct SalvagedPages {
  /// The tables whose lost pages are recognised.
  private static let recognised = [
    "feed", "image", "thumbnail", "original", "image_original", "pin", "member", "pack",
    "rendition", "successor", "library",
  ]

  private let database: DamagedDatabase
  /// The pages that have been read.
  private var seen: Set<Int> = []
  /// The pages and cells that cannot be read.
  private(set) var damagedPages = 0
  private(set) var damagedCells = 0

  init(_ database: DamagedDatabase) { self.database = database }

  /// The first pages of tables, as far as the file's first pages tell them.
  mutating func roots() -> [String: Int] {
    var roots: [String: Int] = [:]
    readTree(1) { row in
      guard row.values.count == 5, row.values[0].text == "table", let name = row.values[1].text,
        let root = row.values[3].integer, root > 1
      else { return true }
      roots[name] = Int(truncatingIfNeeded: root)
      return true
    }
    return roots
  }

  /// Calls `body` with each row of a tree; it returns false for a row that does not belong to the table.
  mutating func readTree(_ root: Int, _ body: (TreePage.Row) throws -> Bool) rethrows {
    var waiting = [root]
    while let number = waiting.popLast() {
      guard seen.insert(number).inserted else { continue }
      guard let page = TreePage(number, of: database) else {
        damagedPages += 1
        continue
      }
      waiting += page.children.reversed()
      var unfit = 0
      for row in page.rows where try !body(row) { unfit += 1 }
      if unfit > 0, unfit == page.rows.count {
        // The page above names this page of another table by mistake.
        seen.remove(number)
        damagedPages += 1
      } else {
        damagedCells += unfit + page.damagedCells
      }
    }
  }

  /// Calls `body` with each row of the pages to which no tree leads.
  mutating func readRest(
    _ tables: [SalvagedTable],
    _ body: (SalvagedTable, [CopiedValue]) throws -> Void
  ) rethrows {
    let tables = tables.filter { Self.recognised.contains($0.name) }
    guard database.pageCount > 1 else { return }
    let free = database.freePages()
    for number in 2...database.pageCount where !seen.contains(number) && !free.contains(number) {
      guard let page = TreePage(number, of: database), page.kind == .tableLeaf,
        let table = tables.first(where: { Self.isPage(page, of: $0) })
      else { continue }
      damagedCells += page.damagedCells
      for row in page.rows {
        if let values = table.values(row) { try body(table, values) } else { damagedCells += 1 }
      }
    }
  }

  /// Whether most rows of a page can be those of a table.
  private static func isPage(_ page: TreePage, of table: SalvagedTable) -> Bool {
    let rows = page.rows.compactMap(table.values)
    guard rows.count * 2 > page.rows.count else { return false }
    switch table.name {
    case "pin": return rows.allSatisfy(isPin)
    case "rendition": return rows.allSatisfy(isRendition)
    default: return true
    }
  }

  /// Whether a number and a text are renditions, and not a mirrored gallery with its key.
  private static func isRendition(_ values: [CopiedValue]) -> Bool {
    (values[1].text ?? "").split(separator: "\n").allSatisfy { WebAddress(String($0)) != nil }
  }

  /// Whether three numbers are a pin, and not the row of an object that was put or of a feed's retention.
  private static func isPin(_ values: [CopiedValue]) -> Bool {
    guard let id = values[0].integer, let date = values[1].integer, let change = values[2].integer
    else { return false }
    var seal = RowChecksum()
    seal.add(id)
    seal.add(date)
    // 2001, long before the first pin.
    return date > 1_000_000_000 && change >= 0 && change != seal.value
  }
}
