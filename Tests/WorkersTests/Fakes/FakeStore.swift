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
  }

  struct State: Sendable {
    var events: [StoreEvent] = []
    var feeds: [Feed] = []
    var images: [Image] = []
    /// The members of the one collection there is.
    var members: [FeedMember] = []
    /// Originals that have not arrived whole, by image.
    var partials: [Int64: (kept: KeptOriginal, bytes: [UInt8])] = [:]
  }

  static let fullDisk = StoreError(reason: .full, path: "/library", message: "no space left")

  let state = Locked(State())
  private let failing: Set<StoreStep>

  /// Fails at the given steps, always, as a full disk does.
  init(failing: Set<StoreStep> = []) { self.failing = failing }

  var events: [StoreEvent] { state.withLock { $0.events } }
  /// The thumbnails that are stored, in the order of the images.
  var thumbnails: [FetchedThumbnail] { state.withLock { $0.images.compactMap(\.thumbnail) } }

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

  func keep(_ members: [FeedMember]) { state.withLock { $0.members = members } }

  func keepOriginal(_ original: StoredOriginal, imageID: Int64) {
    state.withLock { state in
      for index in state.images.indices where state.images[index].id == imageID {
        state.images[index].original = original
      }
    }
  }
}

extension FakeStore.State {
  /// Adds what is not known yet, and answers how many that were.
  mutating func add(_ new: [FeedImage], to feedID: Int64) -> Int {
    let before = images.count
    var known = Set(images.filter { $0.feedID == feedID }.map(\.image.entryID))
    for image in new where known.insert(image.entryID).inserted {
      images.append(FakeStore.Image(id: Int64(images.count + 1), feedID: feedID, image: image))
    }
    return images.count - before
  }

  func feedIndex(_ address: WebAddress) -> Int? { feeds.firstIndex { $0.address == address } }
}
