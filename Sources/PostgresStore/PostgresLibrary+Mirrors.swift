import Models
import Store
package import Workers

extension PostgresLibrary: MirrorStoring {
  package func apply(
    _ page: MirrorPage,
    to target: MirrorTarget
  ) async throws(StoreError) -> MirrorCounts {
    try await writing { db in try MirrorQueries.apply(page, to: target, db) }
  }
}
