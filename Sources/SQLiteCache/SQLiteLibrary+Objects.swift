import FoundationEssentials
import GRDB
import LibraryFiles
package import Models
package import Workers

extension SQLiteLibrary: ObjectRecording {
  package func originalsToPut(
    after id: Int64,
    limit: Int
  ) async throws(StoreError) -> [ObjectOriginal] {
    let folder = folder
    return try await reading { db in
      try ObjectQueries.toPut(after: id, limit: limit, in: folder, db)
    }
  }

  package func notePut(_ hash: SHA256Digest, in store: String) async throws(StoreError) {
    let now = Date().storedSeconds
    let other = try await writing { db in try ObjectQueries.note(hash, in: store, now: now, db) }
    if let other { throw StoreError(reason: .otherObjects, path: store, message: other) }
  }

  package func putOriginals(
    after hash: SHA256Digest?,
    limit: Int
  ) async throws(StoreError) -> [ObjectOriginal] {
    let folder = folder
    return try await reading { db in
      try ObjectQueries.put(after: hash, limit: limit, in: folder, db)
    }
  }

  package func forgetPut(_ hash: SHA256Digest) async throws(StoreError) {
    try await writing { db in try ObjectQueries.forget(hash, db) }
  }

  package func lostOriginals(
    after hash: SHA256Digest?,
    limit: Int
  ) async throws(StoreError) -> [ObjectOriginal] {
    let folder = folder
    return try await reading { db in
      try ObjectQueries.lost(after: hash, limit: limit, in: folder, db)
    }
  }

  package func noteFound(
    _ original: ObjectOriginal,
    in store: String
  ) async throws(StoreError) {
    try await notePut(original.hash, in: store)
    try await writing { db in try ObjectQueries.noteFound(original, db) }
  }

  package func packThumbnails() async throws(StoreError) -> PackedThumbnails { PackedThumbnails() }

  package func compactPacks() async throws(StoreError) {}

  package func unknown(
    _ hashes: [SHA256Digest],
    _ kind: ObjectKind
  ) async throws(StoreError) -> [SHA256Digest] {
    if kind == .pack { return hashes }
    return try await reading { db in try hashes.filter { try ObjectQueries.id(of: $0, db) == nil } }
  }

  package func putOriginal(imageID: Int64) async throws(StoreError) -> StoredOriginal? {
    let (folder, objects) = (folder, objects)
    return try await reading(.short) { db in
      guard try ObjectQueries.store(db) == objects,
        let row = try OriginalQueries.file(imageID: imageID, db),
        let hash = SHA256Digest(hexadecimal: row.sha256),
        let id = try ObjectQueries.id(of: hash, db),
        try ObjectQueries.put(among: [id], db).contains(id)
      else { return nil }
      var original = StoredOriginal(row, in: folder)
      original.isAway = try !ObjectQueries.away(among: [id], db).isEmpty
      return original
    }
  }

  package func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64? {
    try await reading(.short) { db in try ObjectQueries.image(withAway: hash, db) }
  }

  /// Deletes the files of originals that the object store has; their rows stay.
  ///
  /// The rows that mark them as away are flushed first. If a file has come back by then, its original is not away any
  /// more, and the file stays.
  func sendAway(_ ids: [Int64]) throws(StoreError) {
    if ids.isEmpty { return }
    let (folder, trash) = (folder, Trash(folder, isImmediate: true))
    try writeInSteps(over: ids) { step, db in try ObjectQueries.sendAway(step, db) }
    try flushNow()
    try writeInSteps(over: ids) { step, db in
      for file in try ObjectQueries.away(among: step, db) {
        let path = folder.original(sha256: file.sha256, format: file.format)
        if let path { _ = try trash.take(path) }
      }
    }
  }
}
