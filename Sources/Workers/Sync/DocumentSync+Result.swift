import Models

extension DocumentSync {
  /// What came of a feed's documents.
  struct Result: Sendable {
    var feed: Feed?
    var status: Feed.Status
    var images = ImageCounts()
    var newIDs: [ClosedRange<Int64>] = []
    /// What a dry run would fetch besides what was wanted before.
    var wanted = WantedCounts()
    var bytes = 0
    var cost = DocumentCost()
    var problems: [SyncProblem] = []
    /// The feeds that the document only points to: it is none itself.
    var feeds: [WebAddress]?
    /// Those of a list, and what has become of them; nil for every other document.
    var list: ListedFeeds?
    /// How far what the document names may lead; nil when that is not known.
    var reach: FeedReach?
    var wasStoppedBeforeAnswer = false
    /// The address that the feed had before this sync, when it has another one since.
    var formerAddress: WebAddress?

    /// Points to the feeds that a list had when it was last read: they may not all be followed yet.
    mutating func takeListed(from store: any SyncStoring, _ known: Feed) async {
      do throws(StoreError) {
        let listed = try await store.listedFeeds(ofListAt: known.address)
        (list, feeds, reach) = (listed, listed.followed, known.reach)
      } catch {
        status = .failed
        problems.append(.store(error, of: known))
      }
    }

    /// Takes what the store says of the feed's address.
    mutating func note(_ move: FeedMove?, of address: WebAddress) {
      switch move {
      case nil: break
      case .moved(let former, _): formerAddress = former
      case .taken(let target):
        problems.append(
          SyncProblem(subject: .document, address: address, failure: .addressTaken(target))
        )
      }
    }
  }
}
