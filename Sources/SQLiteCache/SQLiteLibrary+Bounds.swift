package import FoundationEssentials
import GRDB
import LibraryFiles
import Workers

/// Originals give way to new ones before these are written.
extension SQLiteLibrary {
  /// Reserves bytes for an original that arrives, and takes others away for it.
  ///
  /// Another process may reserve what has become free meanwhile: then more is taken away.
  func makeRoom(for bytes: Int, imageID: Int64, lookedAt: Date?) throws(StoreError) {
    if bounds.isNone { return }
    if let keep = bounds.keep, bytes > keep {
      throw StoreError(reason: .tooLarge(bound: keep), path: folder.originals, message: "")
    }
    while true {
      let (bounds, folder) = (bounds, folder)
      let missing = try write { db in
        try BoundQueries.reserve(bytes, imageID: imageID, bounds, in: folder, db)
      }
      if missing == 0 { return }
      try evict(missing, for: imageID, lookedAt: lookedAt)
    }
  }

  /// Takes away somewhat more than is missing, so that the disk is not waited for with each original.
  private func evict(_ missing: Int, for imageID: Int64, lookedAt: Date?) throws(StoreError) {
    let spare = missing + (bounds.keep ?? 0) / Limits.evictedShare
    let victims = try readWritten { db in
      let date = try lookedAt?.storedSeconds ?? BoundQueries.date(ofImage: imageID, db)
      let victims = try BoundQueries.victims(for: spare, usedBefore: date, db)
      return victims.isEmpty
        ? try BoundQueries.victims(for: missing, usedBefore: date, db) : victims
    }
    guard !victims.isEmpty else {
      let reason = StoreError.Reason.bounded(bytes: bounds.keep)
      throw StoreError(reason: reason, path: folder.originals, message: "")
    }
    for start in stride(from: 0, to: victims.count, by: Limits.deletionsPerTransaction) {
      let step = victims[start...].prefix(Limits.deletionsPerTransaction)
      try write { db in for id in step { try BoundQueries.untie(original: id, db) } }
    }
    _ = try deleteOriginals(victims, into: Trash(folder, isImmediate: true))
  }
}

extension SQLiteLibrary {
  package func noteLook(atOriginal sha256: String, now: Date) async {
    if bounds.isNone { return }
    let now = now.storedSeconds
    // A note is worth no more than a read most times.
    let use = try? await reading(.short) { db in try BoundQueries.use(sha256: sha256, db) }
    guard let use, now - use.date > Limits.secondsBetweenLooks else { return }
    try? await writing { db in
      // It may have been taken away meanwhile.
      guard let use = try BoundQueries.use(sha256: sha256, db) else { return }
      try BoundQueries.note(now, original: use.id, db)
    }
  }
}
