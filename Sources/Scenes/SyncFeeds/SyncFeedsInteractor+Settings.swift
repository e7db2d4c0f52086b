import Models
import Workers

/// The settings of feeds, which a sync applies, and for which a watch waits.
extension SyncFeedsInteractor {
  /// The pauses between two tries of a watch to use the library: two seconds.
  private static let pausesBetweenTries = 20

  /// Reads the library and applies settings to its feeds, as soon as the library can be read and written.
  ///
  /// A watch runs for months, and ends only when it is stopped, or for a library that it could never use.
  func prepareWatch(
    _ plan: inout SyncPlan,
    until stop: StopRequest
  ) async throws(RequestFailure) {
    plan.isEveryFeed = true
    var told: StoreError?
    while !stop.isMade, !Task.isCancelled {
      do throws(RequestFailure) {
        _ = try await followedFeeds()
        return try await applySettings(to: &plan)
      } catch .library(let error, _) where error.mayPass {
        if error != told {
          presenter.presentSyncNotice(response: .init(notice: .waitingForLibrary(error)))
        }
        told = error
      }
      for _ in 0..<Self.pausesBetweenTries where !stop.isMade { try? await pause() }
    }
  }

  /// Applies the user's settings to the followed feeds, and plans the originals that the settings ask for.
  func applySettings(to plan: inout SyncPlan) async throws(RequestFailure) {
    guard !settings.isEmpty else { return }
    let feeds = try await followedFeeds()
    for setting in settings {
      let feed = setting.feed.meant(of: feeds).first
      if let feed, !plan.isDryRun { try await set(setting.change, of: feed) }
      if let choice = setting.change.imageChoice?.value, let address = setting.feed.address {
        plan.imageChoices[address.identity] = choice
      }
      guard setting.fetchesOriginals, plan.fetchesThumbnails else { continue }
      if let address = feed?.address ?? setting.feed.address {
        plan.originalsOf.insert(address.identity)
      }
    }
  }

  /// Tells of authorities that later syncs do not know, if the sync has added feeds that may need them.
  func tell(ofAuthorities file: String, addedTo followed: [Feed]) async {
    let known = Set(followed.map(\.id))
    let added = ((try? await followedFeeds()) ?? []).filter { feed in
      !known.contains(feed.id) && feed.address.isSecure && feed.gallery == nil
        && feed.status != .failed
    }
    guard !added.isEmpty else { return }
    presenter.presentSyncNotice(
      response: .init(notice: .trustedOnce(added.map(\.address), authorities: file))
    )
  }

  private func set(_ change: FeedChange, of feed: Feed) async throws(RequestFailure) {
    var changed = feed
    change.apply(to: &changed)
    guard changed != feed else { return }
    do throws(StoreError) {
      _ = try await manager?.set(change, ofFeed: feed.id)
    } catch {
      throw .library(error, .change)
    }
  }
}
