import Models
import Workers

/// Lists of any length, for a grid that jumps about in them.
extension ListImagesInteractor {
  package func fetchTimeline(request: ListImages.FetchTimeline.Request) async {
    do throws(RequestFailure) {
      let found = try await buckets(of: request.query, at: nil)
      presenter.presentFetchedTimeline(
        response: .init(
          version: found?.version.number ?? 0,
          total: found?.ids.count ?? 0,
          order: request.query.order,
          buckets: found?.buckets ?? []
        )
      )
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  package func fetchBucket(request: ListImages.FetchBucket.Request) async {
    do throws(RequestFailure) {
      guard let found = try await buckets(of: request.query, at: request.version),
        found.buckets.indices.contains(request.index)
      else { throw .noSuchBucket }
      let bucket = found.buckets[request.index]
      let ids = Array(found.ids[bucket.start..<bucket.start + bucket.count])
      presenter.presentFetchedBucket(response: .init(tiles: try await tiles(ids)))
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  /// Nil while there is no library.
  private func buckets(
    of query: ImageQuery,
    at version: Int64?
  ) async throws(RequestFailure) -> Timelines.Buckets? {
    let found: Timelines.Buckets?
    do throws(StoreError) {
      if let version {
        found = try await timelines.buckets(of: query, at: version)
      } else {
        found = try await timelines.buckets(of: query)
      }
    } catch  where error.reason == .noLibrary {
      return nil
    } catch {
      throw .library(error, .show)
    }
    guard let found else { throw .listHasChanged }
    return found
  }

  private func tiles(_ ids: [Int64]) async throws(RequestFailure) -> [ImageTile] {
    do {
      let found = try await library.tiles(ids: ids)
      let tiles = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
      return ids.map { tiles[$0] ?? ImageTile(id: $0) }
    } catch {
      throw .library(error, .show)
    }
  }
}
