import Models
package import Workers

/// The requests of the scene.
package protocol ListTimelineBusinessLogic {
  func fetchTimeline(request: ListTimeline.FetchTimeline.Request) async
  func fetchBucket(request: ListTimeline.FetchBucket.Request) async
}

/// The responses that the interactor presents, to programs alone: a list for people has pages.
package protocol ListTimelinePresentationLogic {
  func presentFetchedTimeline(response: ListTimeline.FetchTimeline.Response)
  func presentFetchedBucket(response: ListTimeline.FetchBucket.Response)
  func presentFailure(response: Fail.Response)
}

/// Lists images of a list of any length, for a grid with random access.
package struct ListTimelineInteractor: ListTimelineBusinessLogic {
  private let presenter: any ListTimelinePresentationLogic
  private let library: any LibraryReading
  private let timelines: Timelines

  /// Creates the interactor; scenes share `timelines`.
  package init(
    presenter: any ListTimelinePresentationLogic,
    library: any LibraryReading,
    timelines: Timelines
  ) {
    self.presenter = presenter
    self.library = library
    self.timelines = timelines
  }

  package func fetchTimeline(request: ListTimeline.FetchTimeline.Request) async {
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

  package func fetchBucket(request: ListTimeline.FetchBucket.Request) async {
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

  /// The list of a query in buckets; nil while there is no library.
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
      let tiles = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
      return ids.map { tiles[$0] ?? ImageTile(id: $0) }
    } catch {
      throw .library(error, .show)
    }
  }
}
