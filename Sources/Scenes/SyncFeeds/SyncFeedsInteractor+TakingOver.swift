import Models
import Workers

/// The reason why a feed does not take the place of another one.
package enum TakeOverProblem: Sendable, Equatable {
  /// Only galleries and folders can move, and each only to one of its kind.
  case otherKind
  /// The new place is not a folder of this machine.
  case noFolder
  /// Another feed is at the new place already; that of a folder which is removed still has images.
  case taken(feedID: Int64, isRemoved: Bool)
  /// A dry run changes nothing.
  case rehearsal
}

/// Followed feeds that have moved to other places.
extension SyncFeedsInteractor {
  /// Plans that the only feed of a sync takes the place of another one.
  ///
  /// The sync decides what becomes of the feed, once it has seen what is at the new place.
  ///
  /// - Parameters:
  ///   - former: The followed feed.
  ///   - address: Its address, or the one that the argument may mean if no such feed is followed.
  ///   - plan: The plan of the sync.
  /// - Throws: `.notTakenOver` when it cannot be done; then nothing is changed.
  func takeOver(
    _ former: FeedArgument,
    at address: WebAddress,
    in plan: inout SyncPlan
  ) async throws(RequestFailure) {
    let feeds = try await followedFeeds()
    guard let target = plan.feeds.first else { return }
    func problem(_ problem: TakeOverProblem) -> RequestFailure {
      .notTakenOver(former: address, by: target, problem)
    }
    let known = former.meant(of: feeds).first
    if target.isFile || address.isFile || known?.format == .folder {
      let feed = try former.feed(of: feeds)
      guard feed.format == .folder || feed.address.isFolder else { throw problem(.otherKind) }
      guard target.isFile else { throw problem(.otherKind) }
      guard target.isFolder else { throw problem(.noFolder) }
      if feed.has(target) { return }
      guard !plan.isDryRun else { throw problem(.rehearsal) }
      try await check(feed, movingTo: target, problem)
      plan.formerFolder = feed.address
      return
    }
    if let format = known?.format, format != .gallery { throw problem(.otherKind) }
    // Without the former feed, it may have taken the place already.
    if let known, let other = feeds.first(where: { $0.id != known.id && $0.isAtPlace(of: target) })
    {
      throw problem(.taken(feedID: other.id, isRemoved: false))
    }
    plan.formerGallery = address
  }

  private func check(
    _ feed: Feed,
    movingTo folder: WebAddress,
    _ problem: (TakeOverProblem) -> RequestFailure
  ) async throws(RequestFailure) {
    let obstacle: FolderMoveObstacle?
    do {
      obstacle = try await manager?.obstacle(toMoving: feed.id, toFolder: folder)
    } catch {
      throw .library(error, .sync)
    }
    switch obstacle {
    case nil: return
    case .notFollowed: throw .noSuchFeed(.id(feed.id))
    case .taken(let id, let isRemoved): throw problem(.taken(feedID: id, isRemoved: isRemoved))
    }
  }
}

extension Feed {
  /// Whether an address leads to it, for a gallery with whatever login.
  fileprivate func isAtPlace(of address: WebAddress) -> Bool {
    let place = GalleryAddress(address)?.base ?? GalleryAddress.login(fromPage: address) ?? address
    return has(address) || isGallery && self.address.placeIdentity == place.placeIdentity
  }
}
