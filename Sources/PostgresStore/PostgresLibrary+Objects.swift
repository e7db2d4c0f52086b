import LibraryFiles
package import Models
import Store
package import Workers

/// Each machine's folder is a cache of the object store.
///
/// An original that the store has is away on a machine that has no file of it.
extension PostgresLibrary: ObjectRecording {
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
    try await writing { db in try ObjectQueries.note(hash, in: store, db) }
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
    try await writing { db in
      try ObjectQueries.note(original.hash, in: store, db)
      try ObjectQueries.noteFound(original, db)
    }
  }

  package func forgetPut(_ hash: SHA256Digest) async throws(StoreError) {
    let folder = folder
    try await writing { db in try ObjectQueries.forget(hash, in: folder, db) }
  }

  package func unknown(
    _ hashes: [SHA256Digest],
    _ kind: ObjectKind
  ) async throws(StoreError) -> [SHA256Digest] {
    try await reading { db in
      if kind == .original { return try ObjectQueries.unknown(hashes, db) }
      let sql = "SELECT sha256 FROM pack WHERE sha256 \(db.dialect.ids(1))"
      let known = Set(try db.column(sql, hashes) as [SHA256Digest])
      return hashes.filter { !known.contains($0) }
    }
  }

  package func putOriginal(imageID: Int64) async throws(StoreError) -> StoredOriginal? {
    let folder = folder
    return try await reading { db in
      try ObjectQueries.putOriginal(imageID: imageID, in: folder, db)
    }
  }

  package func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64? {
    let folder = folder
    return try await reading { db in try ObjectQueries.image(withAway: hash, in: folder, db) }
  }
}
