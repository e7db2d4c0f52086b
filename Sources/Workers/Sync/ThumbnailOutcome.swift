import FoundationEssentials
import Models

/// What came of one order for a thumbnail, whether it is fetched or made.
struct ThumbnailOutcome: Sendable {
  /// Indirect, because it goes through several hands, and a thumbnail has many parts to copy.
  indirect enum Result: Sendable {
    case new(FetchedThumbnail)
    case changed(FetchedThumbnail)
    case unchanged(UnchangedThumbnail)
    case failed(Failure)
  }

  var order: PictureOrder
  var result: Result
  /// Bytes that came over the wire, as far as that is known of a transfer that failed.
  var wireBytes = 0
  /// How many of them the progress has counted while they came.
  var countedBytes = 0
  /// Whether it keeps the turnstile until whoever stores it lets the next one in.
  var isLarge = false

  /// The thumbnail that is in memory; nil when there is none.
  var thumbnail: FetchedThumbnail? {
    switch result {
    case .new(let thumbnail), .changed(let thumbnail): thumbnail
    case .unchanged, .failed: nil
    }
  }

  /// Bytes of the thumbnail that is in memory; 0 when there is none.
  var byteCount: Int {
    switch result {
    case .new(let thumbnail), .changed(let thumbnail): thumbnail.bytes.count
    case .unchanged, .failed: 0
    }
  }

  /// When the server of the thumbnail that is in memory is asked again; nil when there is none.
  var checkDate: Date? {
    switch result {
    case .new(let thumbnail), .changed(let thumbnail): thumbnail.checkDate
    case .unchanged, .failed: nil
    }
  }
}
