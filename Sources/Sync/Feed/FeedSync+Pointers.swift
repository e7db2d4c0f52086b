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
    let found = FoundFeeds(
      addresses: feeds,
      pointers: depth(known) + 1,
      mayBeFiles: summary.address.isFile,
      reach: document.reach ?? .publicOnly,
      isKnown: known?.isList == true
    )
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

  /// A followed list keeps the depth at which it was found.
  func depth(_ known: Feed?) -> Int {
    isFollowed ? known?.listDepth ?? item.pointers : item.pointers
  }
}
