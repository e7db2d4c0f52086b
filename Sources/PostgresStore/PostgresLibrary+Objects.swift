import LibraryFiles
package import Models
import Store
package import Workers

/// Each machine's folder is a cache of the object store.
///
/// An original that the store has is away on a machine that has no file of it.
extension PostgresLibrary: ObjectRecording {
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
}
