import Models
import Store
package import Workers

extension SQLiteLibrary: MirrorStoring {
  package func apply(
    _ page: MirrorPage,
    to target: MirrorTarget
  ) async throws(StoreError) -> MirrorCounts {
    if !target.isDryRun { try await showReturning(page.lines, target) }
    return try await writing { db in try MirrorQueries.apply(page, to: target, db) }
  }

  /// Follows the feeds that come back, and shows their images in many short transactions before the page is applied.
  ///
  /// Until then they count as gone, so after an interruption the next sync continues from there.
  private func showReturning(
    _ lines: [ChangeLine],
    _ target: MirrorTarget
  ) async throws(StoreError) {
    let feeds = lines.compactMap { if case .feed(let feed) = $0.state { feed } else { nil } }
    if feeds.isEmpty { return }
    let returning = try await reading(orNone: []) { db in
      try MirrorQueries.returning(feeds, to: target, db)
    }
    try await onWrites { () throws(StoreError) in
      for id in returning {
        try self.write { db in
          if try FeedQueries.isRemoved(id: id, db) == true {
            try FeedQueries.setRemoved(false, id: id, db)
          }
        }
        try self.unhide(feedID: id)
      }
    }
  }
}
