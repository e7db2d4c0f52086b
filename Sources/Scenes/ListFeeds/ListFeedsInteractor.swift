package import Models
package import Workers

/// What can be asked of the scene.
package protocol ListFeedsBusinessLogic {
  func fetchFeeds()
  func removeFeed(request: ListFeeds.RemoveFeed.Request)
}

/// What the scene holds.
package protocol ListFeedsDataStore {
  /// The feeds presented last.
  var feeds: [Feed] { get }
}

/// Lists the feeds that are followed, and ends the following of one.
package final class ListFeedsInteractor: ListFeedsBusinessLogic, ListFeedsDataStore {
  package private(set) var feeds: [Feed] = []
  private let presenter: any ListFeedsPresentationLogic
  private let library: any LibraryReading
  private let remover: any FeedRemoving

  package init(
    presenter: any ListFeedsPresentationLogic,
    library: any LibraryReading,
    remover: any FeedRemoving
  ) {
    self.presenter = presenter
    self.library = library
    self.remover = remover
  }

  package func fetchFeeds() {
    do throws(StoreError) {
      feeds = try library.feeds()
      presenter.presentFetchedFeeds(response: .init(feeds: feeds))
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .list)))
    }
  }

  package func removeFeed(request: ListFeeds.RemoveFeed.Request) {
    do throws(StoreError) {
      let removed = try remove(request)
      if let removed {
        presenter.presentRemovedFeed(
          response: .init(removed: removed, wasPurged: request.isPurging)
        )
      } else {
        presenter.presentFailure(response: .init(failure: .noSuchFeed(request.feed)))
      }
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .remove)))
    }
  }

  private func remove(_ request: ListFeeds.RemoveFeed.Request) throws(StoreError) -> RemovedFeed? {
    let feed = try library.feeds().first { request.feed.means($0) }
    guard let feed else { return nil }
    return try remover.removeFeed(id: feed.id, purging: request.isPurging)
  }
}
