import Models
import Workers

/// The places of folders of pictures.
extension FeedSync {
  /// Takes the address under which a folder is followed that was named by another path, or else the plain path of it.
  ///
  /// - Returns: The feed; nil for a folder that is not followed yet, and for every other address.
  mutating func takeKnownPath() async throws(Failure) -> Feed? {
    guard let folders = tools.pictureFolders, summary.address.isFolder else { return nil }
    let feeds = try await Failure.ofStore(await tools.store.feeds(), withoutLibrary: [])
      .filter { $0.address.isFolder && $0.gallery == nil }
    // A feed whose place is taken gets the path that the user has named.
    let others = feeds.filter { plan.formerFolder.map($0.has) != true }
    let place = await folders.place(of: summary.address, among: others.map(\.address))
    shared.rename(summary.address, to: place)
    summary.address = place
    let known = others.first { $0.address == place }
    if known != nil, let former = plan.formerFolder {
      shared.teller.yield(.notice(.notTakenOver(former: former, by: place)))
    }
    return known
  }

  /// Tells of the followed folders that are in a new one, or contain it.
  func tellOverlaps() async {
    guard let path = summary.address.filePath, let feeds = try? await tools.store.feeds() else {
      return
    }
    for feed in feeds where feed.address.isFolder && feed.id != summary.feed?.id {
      guard let other = feed.address.filePath else { continue }
      let isInside = path.utf8.starts(with: other.utf8)
      guard isInside || other.utf8.starts(with: path.utf8) else { continue }
      let reference = FeedReference(id: feed.id, address: feed.address, title: feed.title)
      let notice = SyncNotice.overlaps(summary.address, with: reference, isInside: isInside)
      shared.teller.yield(.notice(notice))
    }
  }
}
