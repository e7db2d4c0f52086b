import FoundationEssentials
import Models
import Workers

/// A library in memory that records, in order, what is written to it.
final class FakeStore: Sendable {
  struct Image: Sendable {
    var id: Int64
    var feedID: Int64
    var image: FeedImage
    var thumbnail: FetchedThumbnail?
    var original: StoredOriginal?
    var checks: [PictureKind: Date] = [:]
    var failures: [PictureKind: RememberedFailure] = [:]
  }

  /// What is remembered of a picture that could not be had.
  struct RememberedFailure: Sendable, Equatable {
    var picture: FailedPicture
    var tries: Int
    var retry: Date
  }

  struct State: Sendable {
    var events: [StoreEvent] = []
    var feeds: [Feed] = []
    var images: [Image] = []
    /// The members of the one collection there is.
    var members: [FeedMember] = []
    /// The feeds of lists, by the list's address.
    var lists: [WebAddress: [WebAddress]] = [:]
    /// What the store says of a feed's address at the end of its sync.
    var move: FeedMove?
    /// Originals that have not arrived whole, by image.
    var partials: [Int64: (kept: KeptOriginal, bytes: [UInt8])] = [:]
  }

  /// Batches of images that were written.
  let appendings = Tally()

  /// Batches of made thumbnails that were written.
  let makings = Tally()

  static let fullDisk = StoreError(reason: .full, path: "/library", message: "no space left")

  let state = Locked(State())
  private let failing: Set<StoreStep>

  /// Whether what is stored first is the newest, as most documents have it.
  private let storesNewestFirst: Bool

  /// Fails at the given steps, always, as a full disk does.
  init(failing: Set<StoreStep> = [], storesNewestFirst: Bool = false) {
    self.failing = failing
    self.storesNewestFirst = storesNewestFirst
  }

  /// The newest first.
  func inOrder(_ images: [Image]) -> [Image] { storesNewestFirst ? images : images.reversed() }

  func isBehind(_ id: Int64, _ last: Int64) -> Bool { storesNewestFirst ? id > last : id < last }

  var events: [StoreEvent] { state.withLock { $0.events } }
  /// The thumbnails that are stored, in the order of the images.
  var thumbnails: [FetchedThumbnail] { state.withLock { $0.images.compactMap(\.thumbnail) } }

  /// What is remembered of thumbnails that could not be had, in the order of the images.
  var failedThumbnails: [RememberedFailure] {
    state.withLock { $0.images.compactMap { $0.failures[.thumbnail] } }
  }
  /// Likewise of thumbnails that could not be made.
  var failedMadeThumbnails: [RememberedFailure] {
    state.withLock { $0.images.compactMap { $0.failures[.madeThumbnail] } }
  }
  /// Those that were asked about and are as stored, in the order of the transactions.
  var keptThumbnails: [UnchangedThumbnail] {
    events.flatMap { event -> [UnchangedThumbnail] in
      if case .keptThumbnails(let thumbnails) = event { thumbnails } else { [] }
    }
  }
  /// Likewise of originals.
  var failedOriginals: [RememberedFailure] {
    state.withLock { $0.images.compactMap { $0.failures[.original] } }
  }

  /// When the server of an image's thumbnail is asked about it.
  func thumbnailCheck(imageID: Int64) -> Date? {
    state.withLock { state in state.images.first { $0.id == imageID }?.checks[.thumbnail] }
  }

  /// The images of each transaction that stored thumbnails.
  var thumbnailBatches: [[Int64]] {
    events.compactMap { if case .storedThumbnails(let ids) = $0 { ids } else { nil } }
  }

  func attempt(_ step: StoreStep) throws(StoreError) {
    if failing.contains(step) { throw Self.fullDisk }
  }

  func record(_ event: StoreEvent) { state.withLock { $0.events.append(event) } }

  /// Makes a feed and images of it known, as earlier syncs would have.
  func keep(_ feed: Feed, images names: [String]) {
    keep(feed, images: names.map { FeedImage(named: $0) })
  }

  func keep(_ feed: Feed, images: [FeedImage]) {
    state.withLock { state in
      state.feeds.append(feed)
      _ = state.add(images, to: feed.id)
    }
  }

  /// Answers at the end of a sync that the feed has moved, or could not.
  func move(_ move: FeedMove) { state.withLock { $0.move = move } }

  /// Makes collections with these members of all feeds.
  func keep(_ members: [FeedMember]) {
    state.withLock { state in
      state.members = members
      for index in state.feeds.indices { state.feeds[index].format = .iiif }
    }
  }

  /// Makes a list of feeds known, with what it had when it was last read.
  func keep(list: Feed, of feeds: [WebAddress]) {
    state.withLock { state in
      state.feeds.append(list)
      state.feeds[state.feeds.count - 1].format = .opml
      state.lists[list.address] = feeds
    }
  }

  func keepOriginal(_ original: StoredOriginal, imageID: Int64, check: Date? = nil) {
    change(imageID) { image in
      image.original = original
      image.checks[.original] = check
      image.failures[.original] = nil
    }
  }

  func change(_ imageID: Int64, _ edit: (inout Image) -> Void) {
    state.withLock { state in
      for index in state.images.indices where state.images[index].id == imageID {
        edit(&state.images[index])
      }
    }
  }
}

extension FakeStore.State {
  /// Adds what is not known yet by its original's address, and answers how many that were.
  mutating func add(_ new: [FeedImage], to feedID: Int64) -> Int {
    let before = images.count
    var known = Set(images.filter { $0.feedID == feedID }.map(\.image.originalAddress))
    for image in new where known.insert(image.originalAddress).inserted {
      images.append(FakeStore.Image(id: Int64(images.count + 1), feedID: feedID, image: image))
    }
    return images.count - before
  }

  func feedIndex(_ address: WebAddress) -> Int? {
    feeds.firstIndex { $0.has(address) }
  }
}
