import Models
import Workers

/// The ends of a sync that leads to other feeds.
extension FeedSync {
  /// Ends the sync of a feed that a gallery has, or of a gallery's page; the gallery is synced instead.
  func pointer(to gallery: WebAddress) -> FeedSyncResult {
    .pointer(to: FoundFeeds(addresses: [gallery], pointers: item.pointers, reach: item.reach), nil)
  }

  /// Ends the sync of a document that points to feeds, which inherit its reach.
  ///
  /// The feeds of a list are brought to the disk first.
  mutating func point(
    to feeds: [WebAddress],
    _ document: DocumentSync.Result,
    _ known: Feed?
  ) async -> FeedSyncResult {
    var found = FoundFeeds(
      addresses: feeds,
      pointers: depth(known) + 1,
      mayBeFiles: summary.address.isFile || document.isPipedList,
      reach: document.reach ?? .publicOnly,
      isKnown: known?.isList == true
    )
    found.mayBeFolders = mayNameFolders(document)
    found.isList = document.list != nil || document.isPipedList
    if found.isList { found.addresses = await withoutKnownFolders(of: found) }
    guard let list = document.list else {
      // A document that the user did not name, because a list or a page named it.
      let isFound = item.pointers > 0 || known?.hasNeverAnswered == true
      if isFound, !plan.isDryRun, let feed = feeds.first {
        // If the note fails, the address is requested again.
        let note = FeedNote(status: .unchanged, leadsTo: feed)
        _ = try? await tools.store.noteSync(ofFeedAt: summary.address, note, now: tools.now())
      }
      return .pointer(to: found, nil)
    }
    if !plan.isDryRun { await flush() }
    summary.list = list
    summary.duration = ContinuousClock.now - start
    if let feed = document.feed {
      let reference = FeedReference(id: feed.id, address: summary.address, title: feed.title)
      for lost in list.lost { shared.teller.yield(.notice(.unlisted(lost, list: reference))) }
    }
    return .pointer(to: found, summary)
  }

  /// Whether the document is a list of the user's own: on this machine, and named by the user in the command.
  private func mayNameFolders(_ document: DocumentSync.Result) -> Bool {
    guard plan.followsListedFolders, !plan.isEveryFeed, item.pointers == 0 else { return false }
    return document.isPipedList || document.list != nil && summary.address.isFile
  }

  /// The feeds of a list without the folders that are followed already, if it must not name them.
  private func withoutKnownFolders(of found: FoundFeeds) async -> [WebAddress] {
    guard let folders = tools.pictureFolders, let feeds = try? await tools.store.feeds(),
      found.addresses.contains(where: { $0.isFolder && !found.isUsable($0) })
    else { return found.addresses }
    let followed = feeds.map(\.address).filter(\.isFolder)
    var addresses: [WebAddress] = []
    for address in found.addresses {
      if address.isFolder, !found.isUsable(address), !followed.isEmpty {
        let place = await folders.place(of: address, among: followed)
        if followed.contains(place) { continue }
      }
      addresses.append(address)
    }
    return addresses
  }

  /// A followed list keeps the depth at which it was found.
  func depth(_ known: Feed?) -> Int {
    isFollowed ? known?.listDepth ?? item.pointers : item.pointers
  }
}
