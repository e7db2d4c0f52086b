import LibraryFiles
import Store
package import Workers

extension PostgresLibrary: LibraryCleaning {
  /// Deletes removed feeds and stray files, as the tables decide.
  ///
  /// A file gets its name before its row. The second search for strays skips a file whose row was added since the
  /// first.
  package func clean(_ plan: CleaningPlan) async throws(StoreError) -> CleanedLibrary {
    // The pictures that a backup keeps of removed images go as in any library.
    writesBackup.withLock { $0 = true }
    try await checkFolders(plan)
    if let fault = try await databaseFaults().first {
      throw StoreError(reason: .unsound, path: path, message: fault)
    }
    let trash = Trash(folder, isImmediate: plan.isImmediate)
    var cleaned = CleanedLibrary()
    (cleaned.trash, cleaned.emptied) = try trash.content()
    let removed = try await reading { db -> [(id: Int64, images: Int)] in
      let sql = """
        SELECT id, (SELECT count(*) FROM image WHERE feed_id = feed.id) FROM feed WHERE is_removed
        """
      return try db.rows(sql).map { try ($0.value(0), $0.value(1)) }
    }
    (cleaned.feeds, cleaned.images) = (removed.count, removed.reduce(0) { $0 + $1.images })
    let originals = try await unreferredOriginals()
    (cleaned.originals, cleaned.bytes) = (originals.count, originals.reduce(0) { $0 + $1.bytes })
    let strays = try await strayFiles()
    cleaned.files = strays.count
    cleaned.bytes += strays.reduce(0) { $0 + $1.bytes }
    if plan.isRehearsal || cleaned.isEmpty { return cleaned }
    try trash.empty()
    let files = try await writing { db in
      for feed in removed { try RemovalQueries.purge(feedID: feed.id, db) }
      try SuccessorQueries.forgetOldFormer(db)
      let files = try RemovalQueries.deleteUnreferred(db)
      if try !CopyNotes.isBackup(db) { try DetailQueries.forgetUnused(db) }
      return files
    }
    for file in files {
      let path = folder.original(sha256: file.sha256, format: file.format)
      if let path { _ = try trash.take(path) }
    }
    // Search again: a sync may have tied a file to an image since the first search.
    let still = Set(try await strayFiles().map(\.path))
    for file in strays {
      if still.contains(file.path), try FileSystem.takeUnlocked(file.path, trash.take) { continue }
      cleaned.files -= 1
      cleaned.bytes -= file.bytes
    }
    cleaned.trash = try trash.content().all
    return cleaned
  }

  /// The originals that no image of a followed feed has.
  private func unreferredOriginals() async throws(StoreError) -> [(sha256: String, bytes: Int)] {
    try await reading { db in
      let isKept =
        try SuccessorQueries.hasTables(db)
        ? ReplacedOriginals.isKept("original.id", db.dialect) : "false"
      let sql = """
        SELECT sha256, bytes FROM original WHERE NOT EXISTS (
          SELECT 1 FROM image_original JOIN image ON image.id = image_id
          JOIN feed ON feed.id = feed_id WHERE original_id = original.id AND NOT is_removed
        ) AND NOT \(isKept)
        """
      return try db.rows(sql).map { try ($0.value(0), $0.value(1)) }
    }
  }

  /// Throws when a link is in the place of a folder, unless the user has accepted that link.
  private func checkFolders(_ plan: CleaningPlan) async throws(StoreError) {
    let meant = try await reading { db in try Self.linkedOriginals(db) }
    let target = folder.linkToMean(plan, meant: meant)
    if let target, !plan.isRehearsal {
      try await writing { db in
        let sql = """
          INSERT INTO setting(name, value) VALUES ('originals', $1)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value
          """
        try db.rows(sql, target)
      }
    }
    try folder.checkNoLinks(at: [folder.partial, folder.trash], meant: target ?? meant)
  }
}
