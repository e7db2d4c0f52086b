import Models
import Workers

/// The SQL of the folders that exported copies are kept up to date in.
///
/// A library of one machine has no column for the machine; in PostgreSQL, each machine has folders of its own.
enum FollowedFolders {
  private static let columns =
    "path, feed_id, list_id, manifest_id, search, template, sidecars, is_missing"

  static func all(of machine: String?, _ db: Connection) throws -> [FollowedFolder] {
    let condition = machine == nil ? "" : "WHERE machine = $1 "
    let sql = "SELECT \(columns) FROM followed_folder \(condition)ORDER BY path"
    return try db.rows(sql, with: machine.map { [$0] } ?? [], element: folder)
  }

  /// Nil for an invalid template, which this program never writes.
  private static func folder(_ row: Row) throws -> FollowedFolder? {
    guard let template = try? NameTemplate(row.value(5)) else { return nil }
    var query = ImageQuery(feedID: try row.value(1), listID: try row.value(2))
    query.manifestID = try row.value(3)
    query.search = try row.value(4)
    return FollowedFolder(
      path: try row.value(0),
      query: query,
      template: template,
      sidecars: (try row.value(6) as String?).flatMap(SidecarFormat.init),
      isMissing: try row.value(7)
    )
  }

  static func store(_ folder: FollowedFolder, of machine: String?, _ db: Connection) throws {
    let query = folder.query
    let values: [any Parameter] = [
      folder.path, query.feedID, query.listID, query.manifestID, query.search,
      folder.template.text, folder.sidecars?.rawValue, folder.isMissing,
    ]
    let (column, parameter) = machine == nil ? ("", "") : (", machine", ", $9")
    let sql = """
      INSERT INTO followed_folder(\(columns)\(column))
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8\(parameter))
      ON CONFLICT (path\(column)) DO UPDATE SET feed_id = excluded.feed_id,
        list_id = excluded.list_id, manifest_id = excluded.manifest_id, search = excluded.search,
        template = excluded.template, sidecars = excluded.sidecars,
        is_missing = excluded.is_missing
      """
    try db.run(sql, with: values + (machine.map { [$0 as any Parameter] } ?? []))
  }

  static func forget(_ path: String, of machine: String?, _ db: Connection) throws {
    guard let machine else {
      try db.run("DELETE FROM followed_folder WHERE path = $1", path)
      return
    }
    try db.run("DELETE FROM followed_folder WHERE path = $1 AND machine = $2", path, machine)
  }
}
