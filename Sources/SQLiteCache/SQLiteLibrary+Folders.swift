import Models
import Store
package import Workers

extension SQLiteLibrary {
  package func followedFolders() async throws(StoreError) -> [FollowedFolder] {
    try await reading(.short) { db in
      let sql = """
        SELECT path, feed_id, list_id, manifest_id, search, template, sidecars, is_missing
        FROM followed_folder ORDER BY path
        """
      return try db.rows(sql, element: Self.folder)
    }
  }

  /// Nil for a template that this program did not write.
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

  package func follow(_ followed: FollowedFolder) async throws(StoreError) {
    try await writing { db in
      let query = followed.query
      try db.run(
        """
        INSERT OR REPLACE INTO followed_folder
          (path, feed_id, list_id, manifest_id, search, template, sidecars, is_missing)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        followed.path,
        query.feedID,
        query.listID,
        query.manifestID,
        query.search,
        followed.template.text,
        followed.sidecars?.rawValue,
        followed.isMissing
      )
    }
    try await flush()
  }

  package func unfollow(folderAt path: String) async throws(StoreError) {
    try await changing { db in
      _ = try db.run("DELETE FROM followed_folder WHERE path = $1", path)
    }
    try await flush()
  }
}
