import LibraryFiles
package import Models
import Store
package import Workers

extension SQLiteLibrary: ObjectRecording {
  package func packThumbnails() async throws(StoreError) -> PackedThumbnails { PackedThumbnails() }

  package func compactPacks() async throws(StoreError) {}

  package func unknown(
    _ hashes: [SHA256Digest],
    _ kind: ObjectKind
  ) async throws(StoreError) -> [SHA256Digest] {
    if kind == .pack { return hashes }
    return try await reading { db in try ObjectQueries.unknown(hashes, db) }
  }

  package func putOriginal(imageID: Int64) async throws(StoreError) -> StoredOriginal? {
    let (folder, objects) = (folder, objects)
    return try await reading(.short) { db in
      guard try ObjectQueries.store(db) == objects else { return nil }
      return try ObjectQueries.putOriginal(imageID: imageID, in: folder, db)
    }
  }

  /// Deletes the files of originals that the object store has; their rows stay.
  ///
  /// The rows that mark them as away are flushed first. If a file has come back by then, its original is not away any
  /// more, and the file stays.
  func sendAway(_ ids: [Int64]) throws(StoreError) {
    if ids.isEmpty { return }
    let (folder, trash) = (folder, Trash(folder, isImmediate: true))
    try writeInSteps(over: ids) { step, db in
      try BoundQueries.sendAway(step, besides: room.arriving(), db)
    }
    try flushNow()
    try writeInSteps(over: ids) { step, db in
      for file in try ObjectQueries.away(among: step, db) {
        let path = folder.original(sha256: file.sha256, format: file.format)
        if let path { _ = try trash.take(path) }
      }
    }
  }
}
