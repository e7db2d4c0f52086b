import FoundationEssentials
import Models

/// The outcome of requesting one picture, whether it is fetched or made.
struct PictureOutcome: Sendable {
  /// Indirect, because it goes through several hands, and a thumbnail has many parts to copy.
  indirect enum Result: Sendable {
    case new(FetchedThumbnail)
    case changed(FetchedThumbnail)
    case unchanged(UnchangedPicture)
    /// An original, which its file has stored already; with the thumbnail that was made from it, if one was.
    case original(FetchedOriginal, made: PictureOutcome?)
    case failed(Failure)
  }

  var wanted: WantedPicture
  var result: Result
  /// Bytes that came over the wire, as far as that is known of a transfer that failed.
  var wireBytes = 0
  /// How many of them the progress has counted while they came.
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

  /// When the server of the thumbnail that is in memory is asked again; nil without one.
  var checkDate: Date? { thumbnail?.checkDate }
}

/// The part of a feed that requests for its pictures depend on.
struct PictureOrigin: Sendable {
  /// To which addresses transfers may connect.
  let reach: NetworkReach
  /// The folder below which the files of `file:` addresses must lie; nil refuses such addresses.
  let fileFolder: String?
  /// As in `NetworkRequest`.
  let feedKey: Int

  init(reach: FeedReach?, address: WebAddress) {
    self.reach = NetworkReach(reach)
    fileFolder = address.fileFolder
    feedKey = address.hashValue
  }
}

extension Feed {
  var origin: PictureOrigin { PictureOrigin(reach: reach, address: address) }
}

extension FeedReference {
  var origin: PictureOrigin { PictureOrigin(reach: reach, address: address) }
}
