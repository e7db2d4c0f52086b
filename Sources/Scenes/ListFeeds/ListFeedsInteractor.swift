package import Models
package import Workers

/// What can be asked of the scene.
package protocol ListFeedsBusinessLogic {
  func fetchFeeds()
  func fetchManifests()
  func removeFeed(request: ListFeeds.RemoveFeed.Request)
  func nameFeed(request: ListFeeds.NameFeed.Request)
}

/// What the scene holds.
package protocol ListFeedsDataStore {
  /// The feeds presented last.
  var feeds: [Feed] { get }
}

/// Lists the feeds that are followed, gives one a title, and ends the following of one.
package final class ListFeedsInteractor: ListFeedsBusinessLogic, ListFeedsDataStore {
  package private(set) var feeds: [Feed] = []
  private let presenter: any ListFeedsPresentationLogic
  private let library: any LibraryReading
  private let manager: any FeedManaging

  package init(
    presenter: any ListFeedsPresentationLogic,
    library: any LibraryReading,
    manager: any FeedManaging
  ) {
    self.presenter = presenter
    self.library = library
    self.manager = manager
  }

  package func fetchFeeds() {
    do throws(StoreError) {
      feeds = try library.feeds()
      let failures = try library.failures()
      presenter.presentFetchedFeeds(response: .init(feeds: feeds, failures: failures))
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .list)))
    }
  }

  package func fetchManifests() {
    do throws(StoreError) {
      let manifests = try library.manifests(at: nil)
      presenter.presentFetchedManifests(response: .init(manifests: manifests))
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .list)))
    }
  }

  package func removeFeed(request: ListFeeds.RemoveFeed.Request) {
    change(request.feed, for: .remove) { feed throws(StoreError) in
      guard
        let removed = try manager.removeFeed(id: feed.id, purging: request.isPurging)
      else { return false }
      presenter.presentRemovedFeed(response: .init(removed: removed, wasPurged: request.isPurging))
      return true
    }
  }

  package func nameFeed(request: ListFeeds.NameFeed.Request) {
    change(request.feed, for: .name) { feed throws(StoreError) in
      guard let named = try manager.setTitle(request.line, ofFeed: feed.id) else { return false }
      let failures = try library.failures()[feed.id] ?? []
      presenter.presentNamedFeed(response: .init(feed: named, failures: failures))
      return true
    }
  }

  /// Changes the feed that is meant, and presents why not where it cannot be; another process may have
  /// removed it just now.
  private func change(
    _ argument: FeedArgument,
    for purpose: RequestFailure.Purpose,
    _ body: (Feed) throws(StoreError) -> Bool
  ) {
    do throws(RequestFailure) {
      let feeds = try asking(for: purpose) { () throws(StoreError) in try library.feeds() }
      let feed = try argument.feed(of: feeds)
      let isDone = try asking(for: purpose) { () throws(StoreError) in try body(feed) }
      if !isDone { throw .noSuchFeed(argument) }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  private func asking<Answer>(
    for purpose: RequestFailure.Purpose,
    _ question: () throws(StoreError) -> Answer
  ) throws(RequestFailure) -> Answer {
    do {
      return try question()
    } catch {
      throw .library(error, purpose)
    }
  }
}
