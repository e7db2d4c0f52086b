import GRDB
import Models

/// A stored image, as far as a document is compared with it.
struct StoredImage {
  var id: Int64
  var place: Int64
  var firstSeen: Int64
  var isGone: Bool
  var isAmbiguous: Bool
  var thumbnailState: ThumbnailState
  var originalState: OriginalState
  /// When servers are asked whether the stored pictures have changed; nil when they are not.
  var thumbnailCheck: Int64?
  var originalCheck: Int64?
  var entryID: String?
  var originalHash: Int64
  var fields: ImageFields
}

extension StoredImage {
  static let columns = """
    id, place, first_seen_at, is_gone, is_entry_ambiguous, thumbnail_state, original_state,
    entry_id, original_hash, title, caption, author, licence, published_at,
    page_address, thumbnail_address, original_address, width, height,
    thumbnail_check_at, original_check_at
    """

  init(_ row: Row) throws {
    id = try row.value(0)
    place = try row.bounded(1)
    firstSeen = try row.value(2)
    isGone = try row.value(3)
    isAmbiguous = try row.value(4)
    thumbnailState = try ThumbnailState(rawValue: row.value(5)) ?? .wanted
    originalState = try OriginalState(rawValue: row.value(6)) ?? .missing
    entryID = try row.value(7)
    originalHash = try row.value(8)
    fields = try ImageFields(row)
    thumbnailCheck = try row.value(19)
    originalCheck = try row.value(20)
  }

  /// Whether a picture is stored that no server is asked about: it had left the feed's documents.
  var isUnasked: Bool {
    thumbnailState.isRight && thumbnailCheck == nil
      || originalState == .stored && originalCheck == nil
  }
}

extension ImageFields {
  /// The fields from the tenth column of `StoredImage.columns` on.
  fileprivate init(_ row: Row) throws {
    title = try row.value(9)
    caption = try row.value(10)
    author = try row.value(11)
    licence = try row.value(12)
    published = try row.value(13)
    pageAddress = try row.value(14)
    thumbnailAddress = try row.value(15)
    originalAddress = try row.value(16)
    width = try row.value(17)
    height = try row.value(18)
  }
}
