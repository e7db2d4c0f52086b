import FoundationEssentials
import Models
import Workers

/// The outcome of requesting one picture, whether it is fetched or made.
struct PictureOutcome: Sendable {
  /// Indirect, because it is passed on several times, and a thumbnail has many parts to copy.
  indirect enum Result: Sendable {
    case new(FetchedThumbnail)
    case changed(FetchedThumbnail)
    case unchanged(UnchangedPicture)
    /// An original, which its file has stored already, and the thumbnail that was made from it, if any.
    case original(FetchedOriginal, made: PictureOutcome?)
    case failed(Failure)
  }

  var wanted: WantedPicture
  var result: Result
  /// Bytes that came over the wire, as far as they are known for a failed transfer.
  var wireBytes = 0
  /// The number of these bytes that the progress counted as they arrived.
  var countedBytes = 0
  /// Whether it holds the permit for large thumbnails until it is stored.
  var isLarge = false

  /// The thumbnail that is in memory; nil without one.
  var thumbnail: FetchedThumbnail? {
    switch result {
    case .new(let thumbnail), .changed(let thumbnail): thumbnail
    case .unchanged, .original, .failed: nil
    }
  }

  /// Bytes of the thumbnail that is in memory; 0 without one.
  var byteCount: Int { thumbnail?.bytes.count ?? 0 }
}

/// The properties of a feed on which the requests for its pictures depend.
struct PictureOrigin: Sendable {
  /// The addresses to which transfers may connect.
  let reach: NetworkReach
  /// The folder below which the files of `file:` addresses must lie; nil refuses such addresses.
  let fileFolder: String?
  /// As in `NetworkRequest`.
  let feedKey: Int
  /// The address of the feed.
  let feed: WebAddress
  /// The `Referer` field without which hosts of the feed's pictures send a sign; nil if none is needed.
  var referer: PictureReferer?

  init(reach: FeedReach?, address: WebAddress, fileFolder: String?) {
    self.reach = NetworkReach(reach)
    self.fileFolder = fileFolder
    feedKey = address.hashValue
    feed = address
  }
}

extension Feed {
  var origin: PictureOrigin {
    var origin = PictureOrigin(reach: reach, address: address, fileFolder: fileFolder)
    origin.referer = pictureReferer
    return origin
  }
}

extension FeedReference {
  var origin: PictureOrigin {
    PictureOrigin(reach: reach, address: address, fileFolder: fileFolder)
  }
}

extension NetworkHeader {
  /// The time at which to ask the server again whether the picture at an unchanged address is still the same.
  ///
  /// The response is a 304 or the picture itself. It may declare for how long it is fresh. Otherwise it is fresh for a
  /// tenth of the time since the picture last changed, as RFC 9111 (section 4.2.2) suggests, in whole seconds. So a
  /// sync always asks for the picture of a webcam, and about once a month for a picture from last year. A picture
  /// without `Last-Modified` has probably not changed since `since`.
  func checkDate(since: Date?, now: Date) -> Date {
    let seconds =
      freshSeconds.map(Double.init)
      ?? (now.timeIntervalSince(modified ?? since ?? now) / 10).rounded(.down)
    return now.addingTimeInterval(min(max(seconds, 0), SyncLimits.longestPictureFreshness))
  }
}

extension TransferCounts {
  /// Adds up two counts.
  static func + (one: TransferCounts, other: TransferCounts) -> TransferCounts {
    var sum = TransferCounts(
      stored: one.stored + other.stored,
      failed: one.failed + other.failed,
      waiting: one.waiting + other.waiting,
      heldBack: one.heldBack + other.heldBack
    )
    sum.doubtful = one.doubtful + other.doubtful
    return sum
  }

  /// Counts pictures that are stored now; there may be more of them than were counted as waiting.
  ///
  /// - Parameters:
  ///   - number: The number of pictures.
  ///   - wereWaiting: Whether they were counted as waiting; a stored picture that has changed was not.
  mutating func noteStored(_ number: Int = 1, wereWaiting: Bool = true) {
    stored += number
    if wereWaiting { waiting = max(0, waiting - number) }
  }

  /// Counts pictures that were kept beside the stored ones; see `noteStored`.
  mutating func noteDoubtful(_ imageIDs: [Int64], wereWaiting: Bool) {
    doubtful += imageIDs
    if wereWaiting { waiting = max(0, waiting - imageIDs.count) }
  }

  /// Counts a picture that has failed; see `noteStored`.
  mutating func noteFailed(wasWaiting: Bool = true) {
    failed += 1
    if wasWaiting { waiting = max(0, waiting - 1) }
  }
}
