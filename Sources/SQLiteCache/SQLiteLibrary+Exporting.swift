import GRDB
import LibraryFiles
package import Models
package import Workers

extension SQLiteLibrary {
  package func states(ids: [Int64]) async throws(StoreError) -> [ImageState] {
    try await reading { db in
      let states = try ImageStates(ids, db)
      return try ids.compactMap(states.state)
    }
  }

  package func publicPacks() async throws(StoreError) -> [SHA256Digest: SealedPack] {
    let found = try await reading { db in try SealQueries.publicPacks(db) }
    return found.mapValues { SealedPack(path: folder.pack($0.id), bytes: $0.bytes) }
  }
}
