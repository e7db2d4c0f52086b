package import FoundationEssentials
package import Models
package import Workers

/// A library in memory: a second store behind the protocols that SQLite implements.
///
/// It records all writes in order, and fails at given steps as a full disk does. The suite `StoreBehaviourTests`
/// checks that it behaves as SQLite does.
package final class MemoryLibrary: Sendable {
  package struct Image: Sendable {
    package var id: Int64
    package var feedID: Int64
    package var fields: ImageFields
    package var originalHash: Int64
    package var entryID: String?
    package var isAmbiguous = false
    package var position: Int64
    package var firstSeen: Int64
    package var isGone = false
    package var thumbnail: FetchedThumbnail?
    package var thumbnailState: ThumbnailState
    package var colours: [UInt8]?
    package var original: StoredOriginal?
    package var checks: [PictureKind: Date] = [:]
    package var failures: [PictureKind: RememberedFailure] = [:]
    package var damaged: Set<PictureKind> = []
  }

  /// A stored failure of a picture.
  package struct RememberedFailure: Sendable, Equatable {
    package var picture: FailedPicture
    package var tries: Int
    package var retry: Date

    package init(picture: FailedPicture, tries: Int, retry: Date) {
      self.picture = picture
      self.tries = tries
      self.retry = retry
    }
  }

  struct Member: Sendable {
    var id: Int64
    var feedID: Int64
    var member: FeedMember
    var position: Int
    var images: [Int64]
  }

  struct Listed: Sendable {
    var address: WebAddress
    var isDeclined = false
    var leadsTo: String?
  }

  package struct State: Sendable {
    package var events: [StoreEvent] = []
    /// In order of their ids, including removed feeds.
    package var feeds: [Feed] = []
    var removed: Set<Int64> = []
    /// How often each feed has exceeded its limits.
    var excesses: [Int64: Int] = [:]
    /// In order of their ids.
    package var images: [Image] = []
    var lastImageID: Int64 = 0
    var members: [Member] = []
    /// The feeds of lists, by the list's id.
    var lists: [Int64: [Listed]] = [:]
    var locked: Set<String> = []
    /// How many attempts to lock a feed are still refused, as if another process held the lock.
    var lockRefusals = 0
    var lockEvents: [LockEvent] = []
    var pauses: [String: Date] = [:]
    /// Keyed by path.
    var subscriptions: [String: Subscription] = [:]
    /// Keyed by path.
    var folders: [String: FollowedFolder] = [:]
    /// The images that are pinned.
    var pins: Set<Int64> = []
    var log = MemoryChangeLog()
    /// Partial originals, keyed by image.
    package var partials: [Int64: (kept: KeptOriginal, bytes: [UInt8])] = [:]
  }

  /// The error of a step that fails.
  package static let fullDisk = StoreError(
    reason: .full,
    path: "/library",
    message: "no space left"
  )

  package let state = Locked(State())
  /// Counts the batches of images that were written.
  package let imageBatches = Tally()
  /// Counts the batches of made thumbnails that were written.
  package let madeBatches = Tally()
  private let failing: Set<StoreStep>

  package init(failing: Set<StoreStep> = [], lockRefusals: Int = 0) {
    self.failing = failing
    state.withLock { $0.lockRefusals = lockRefusals }
  }

  func attempt(_ step: StoreStep) throws(StoreError) {
    if failing.contains(step) { throw Self.fullDisk }
  }

  func record(_ event: StoreEvent) { state.withLock { $0.events.append(event) } }

  /// The attempts to lock feeds, the locks and the releases, in order.
  package var locks: [LockEvent] { state.withLock { $0.lockEvents } }

  package var events: [StoreEvent] { state.withLock { $0.events } }

  /// The stored thumbnails, in the order of the images.
  package var thumbnails: [FetchedThumbnail] {
    state.withLock { $0.images.compactMap(\.thumbnail) }
  }

  /// The stored failures of one kind of picture, in the order of the images.
  package func failed(_ kind: PictureKind) -> [RememberedFailure] {
    state.withLock { $0.images.compactMap { $0.failures[kind] } }
  }

  /// The time at which the server of an image's thumbnail is asked about it.
  package func thumbnailCheck(imageID: Int64) -> Date? {
    state.withLock { state in state.images.first { $0.id == imageID }?.checks[.thumbnail] }
  }

  func change(_ imageID: Int64, _ edit: (inout Image) -> Void) {
    state.withLock { state in
      guard let index = state.index(ofImage: imageID) else { return }
      edit(&state.images[index])
    }
  }
}

extension MemoryLibrary.State {
  func index(ofImage id: Int64) -> Int? { images.firstIndex { $0.id == id } }

  func index(ofFeedAt address: WebAddress) -> Int? { feeds.firstIndex { $0.has(address) } }

  /// A feed with the number of its images; nil if it is removed.
  func followed(_ index: Int?) -> Feed? {
    guard let index, !removed.contains(feeds[index].id) else { return nil }
    return hearing(feeds[index])
  }
}

// MARK: State of earlier syncs

extension MemoryLibrary {
  /// Stores a feed and its entries.
  package func keep(_ feed: Feed, entries: [FeedEntry], now: Date) {
    state.withLock { state in
      var feed = feed
      feed.imageCount = entries.imageCount
      state.feeds.append(feed)
      for entry in entries {
        for image in entry.images {
          state.add(DocumentImage(image), entryID: entry.id, to: feed.id, position: nil, now: now)
        }
      }
    }
  }

  /// Stores collections with these members of all feeds.
  package func keep(_ members: [FeedMember]) {
    state.withLock { state in
      for index in state.feeds.indices {
        state.feeds[index].format = .iiif
        for (position, member) in members.enumerated() {
          let id = Int64(state.members.count + 1)
          let feedID = state.feeds[index].id
          state.members.append(
            Member(id: id, feedID: feedID, member: member, position: position, images: [])
          )
        }
      }
    }
  }

  /// Stores a list of feeds, with the feeds that it had when it was last read.
  package func keep(list: Feed, of feeds: [WebAddress]) {
    state.withLock { state in
      var list = list
      list.format = .opml
      list.listedFeedCount = feeds.count
      state.feeds.append(list)
      state.lists[list.id] = feeds.map { Listed(address: $0) }
    }
  }

  package func keepOriginal(_ original: StoredOriginal, imageID: Int64, check: Date? = nil) {
    change(imageID) { image in
      image.original = original
      image.checks[.original] = check ?? .distantFuture
      image.failures[.original] = nil
    }
  }

  /// Stores the first bytes of an original, as an attempt that broke off would.
  package func keepPartial(_ bytes: [UInt8], of version: OriginalVersion, imageID: Int64) {
    let partial = (KeptOriginal(version: version, length: bytes.count), bytes)
    state.withLock { $0.partials[imageID] = partial }
  }
}
