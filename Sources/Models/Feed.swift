package import FoundationEssentials

/// A feed the library follows.
package struct Feed: Sendable, Equatable, Identifiable {
  /// How the last sync of a feed ended; the raw value is what `--json` prints.
  package enum Status: String, Sendable {
    /// The document was read, and something in it was new, changed or gone.
    case updated
    /// Nothing has changed since the sync before.
    case unchanged
    /// The document could not be had or read; what was stored stays.
    case failed
  }

  /// Never changes and is never reused.
  package var id: Int64
  package var address: WebAddress
  /// The addresses that it had before, which mean it still.
  package var aliases: [WebAddress]
  /// What its document calls it.
  package var ownTitle: String?
  /// What the user calls it; nil leaves it the document's title.
  package var givenTitle: String?
  package var format: FeedFormat?
  /// How many of its images are in the library.
  package var imageCount: Int
  /// How many of its stored pictures were found damaged.
  package var damagedCount = 0
  /// How many images its document had when it was last read to its end.
  package var documentImageCount: Int
  /// How many feeds a list of feeds has; 0 for every other feed.
  package var listedFeedCount: Int
  /// How many documents stand between a list of feeds and what the user has named.
  package var listDepth: Int
  /// Whether all its pages were read once, up to the last.
  package var isWhole: Bool
  /// When it was last asked for; nil when it never was to the end.
  package var lastSync: Date?
  package var status: Status?
  /// Why the last sync failed, in words; nil when it did not.
  package var problem: String?
  /// What to ask its server with; empty when the last document was not read to its end.
  package var validators: Validators
  /// Where the last sync was sent to for good (301, 308); the address follows when the next one is
  /// sent to the same.
  package var movedTo: WebAddress?
  /// Whether its server says that it is gone (410), so that it is asked only when it is named.
  package var isPaused: Bool
  /// When a sync of every feed asks again; nil for with each.
  package var nextSync: Date?
  /// How far its content may lead; nil until an answer has told whether its address is private.
  package var reach: FeedReach?

  package init(
    id: Int64,
    address: WebAddress,
    aliases: [WebAddress] = [],
    title: String? = nil,
    givenTitle: String? = nil,
    format: FeedFormat? = nil,
    imageCount: Int = 0,
    documentImageCount: Int = 0,
    listedFeedCount: Int = 0,
    listDepth: Int = 0,
    isWhole: Bool = true,
    lastSync: Date? = nil,
    status: Status? = nil,
    problem: String? = nil,
    validators: Validators = Validators(),
    movedTo: WebAddress? = nil,
    isPaused: Bool = false,
    nextSync: Date? = nil,
    reach: FeedReach? = nil
  ) {
    self.id = id
    self.address = address
    self.aliases = aliases
    ownTitle = title
    self.givenTitle = givenTitle
    self.format = format
    self.imageCount = imageCount
    self.documentImageCount = documentImageCount
    self.listedFeedCount = listedFeedCount
    self.listDepth = listDepth
    self.isWhole = isWhole
    self.lastSync = lastSync
    self.status = status
    self.problem = problem
    self.validators = validators
    self.movedTo = movedTo
    self.isPaused = isPaused
    self.nextSync = nextSync
    self.reach = reach
  }

  /// Whether it is a list of feeds, which has no images itself.
  package var isList: Bool { format == .opml }

  /// What it is called: by the user, else by its document.
  package var title: String? { givenTitle ?? ownTitle }

  /// Whether an address is its own, or one that it had before, in any spelling.
  package func has(_ address: WebAddress) -> Bool {
    let identity = address.identity
    return self.address.identity == identity || aliases.contains { $0.identity == identity }
  }
}
