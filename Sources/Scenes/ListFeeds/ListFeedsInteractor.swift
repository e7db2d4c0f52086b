import Models
package import Workers

/// The requests of the scene.
package protocol ListFeedsBusinessLogic {
  func fetchFeeds() async
  func fetchManifests() async
  func removeFeed(request: ListFeeds.RemoveFeed.Request) async
  func changeFeed(request: ListFeeds.ChangeFeed.Request) async
}

/// Lists the followed feeds, and changes or removes one of them.
package struct ListFeedsInteractor: ListFeedsBusinessLogic {
  private let presenter: any ListFeedsPresentationLogic
  private let library: any LibraryReading
  private let manager: any LibraryManaging
  private let pauses: (any HostPausing)?

  package init(
    presenter: any ListFeedsPresentationLogic,
    library: any LibraryReading,
    manager: any LibraryManaging,
    pauses: (any HostPausing)? = nil
  ) {
    self.presenter = presenter
    self.library = library
    self.manager = manager
    self.pauses = pauses
  }

  package func fetchFeeds() async {
    do throws(StoreError) {
      let feeds = try await library.feeds()
      let failures = try await library.failures()
      let pauses = try pauses?.pauses(of: feeds.map(\.address)) ?? []
      presenter.presentFetchedFeeds(
        response: .init(feeds: feeds, failures: failures, pauses: pauses)
      )
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .list)))
    }
  }

  package func fetchManifests() async {
    do throws(StoreError) {
      let manifests = try await library.manifests(at: nil)
      presenter.presentFetchedManifests(response: .init(manifests: manifests))
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .list)))
    }
  }

  package func removeFeed(request: ListFeeds.RemoveFeed.Request) async {
    await change(request.feed, for: .remove) { feed async throws(StoreError) in
      guard
        let removed = try await manager.removeFeed(id: feed.id, purging: request.isPurging)
      else { return false }
      presenter.presentRemovedFeed(response: .init(removed: removed, wasPurged: request.isPurging))
      return true
    }
  }

  package func changeFeed(request: ListFeeds.ChangeFeed.Request) async {
    // A title is for one feed.
    let mayBeRange = request.change.title == nil
    await change(request.feed, for: .change, mayBeRange: mayBeRange) {
      feed async throws(StoreError) in
      let change = request.change
      guard let changed = try await manager.set(change, ofFeed: feed.id) else { return false }
      let failures = try await library.failures()[feed.id] ?? []
      let response = ListFeeds.ChangeFeed.Response(
        feed: changed,
        change: change,
        failures: failures
      )
      presenter.presentChangedFeed(response: response)
      return true
    }
  }

  /// Changes the feed that the argument names, or each followed feed of a range of ids.
  ///
  /// `body` returns false if the feed has been removed since: by another process, or with the gallery of a copy.
  private func change(
    _ argument: FeedArgument,
    for purpose: RequestFailure.Purpose,
    mayBeRange: Bool = true,
    _ body: (Feed) async throws(StoreError) -> Bool
  ) async {
    do throws(RequestFailure) {
      let feeds = try await library.feeds(for: purpose)
      let spread = argument.spread(among: feeds)
      if !mayBeRange, spread.count > 1 { throw .titleOfSeveral(argument) }
      let arguments = mayBeRange ? spread : [argument]
      for argument in arguments {
        let feed = try argument.feed(of: feeds)
        let isDone: Bool
        do throws(StoreError) {
          isDone = try await body(feed)
        } catch {
          throw .library(error, purpose)
        }
        if !isDone, arguments.count == 1 || purpose != .remove { throw .noSuchFeed(argument) }
      }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }
}
