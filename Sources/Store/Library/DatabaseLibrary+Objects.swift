package import Models
package import Workers

/// The originals in an object store: a part of `ObjectRecording`.
extension DatabaseLibrary {
  package func originalsToPut(
    after id: Int64,
    limit: Int
  ) async throws(StoreError) -> [ObjectOriginal] {
    try await reading { [folder] db in
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
    try await reading { [folder] db in
      try ObjectQueries.put(after: hash, limit: limit, in: folder, db)
    }
  }

  package func forgetPut(_ hash: SHA256Digest) async throws(StoreError) {
    try await writing { [folder] db in try ObjectQueries.forget(hash, in: folder, db) }
  }

  package func lostOriginals(
    after hash: SHA256Digest?,
    limit: Int
  ) async throws(StoreError) -> [ObjectOriginal] {
    try await reading { [folder] db in
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

  package func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64? {
    try await reading(.short) { [folder] db in
      try ObjectQueries.image(withAway: hash, in: folder, db)
    }
  }
}
