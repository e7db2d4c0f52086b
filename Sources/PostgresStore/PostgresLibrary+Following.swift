import FoundationEssentials
import LibraryFiles
package import Models
import Store
package import Workers

extension PostgresLibrary: ChangeFollowing {
  package func prepareForFollowers() async throws(StoreError) {
    do throws(StoreError) {
      try await writing { db in try ChangeLog.prune(db) }
    } catch  where error.reason == .readOnly || error.reason == .forbidden {
      // A process that cannot write leaves pruning to those that can.
    }
  }

  /// Does nothing: `ChangeLog.noticeRestore` recognises a restored library by its server.
  package func noteFollowed(_ version: LibraryVersion) async throws(StoreError) {}

  /// Nil: this store seals no packs that clients could read; its packs are in the object store.
  package func pack(_ hash: SHA256Digest) async throws(StoreError) -> SealedPack? { nil }
}

extension PostgresLibrary {
  /// Returns no packs, for the same reason.
  package func publicPacks() async throws(StoreError) -> [SHA256Digest: SealedPack] { [:] }
}
