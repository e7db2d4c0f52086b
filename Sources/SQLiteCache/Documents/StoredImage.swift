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

  init(_ row: Row) {
    id = row[0]
    place = row[1]
    firstSeen = row[2]
    isGone = row[3]
    isAmbiguous = row[4]
    thumbnailState = ThumbnailState(rawValue: row[5]) ?? .wanted
    originalState = OriginalState(rawValue: row[6]) ?? .missing
    entryID = row[7]
    originalHash = row[8]
    fields = ImageFields(row)
    thumbnailCheck = row[19]
    originalCheck = row[20]
  }

  /// Whether a picture is stored that no server is asked about: it had left the feed's documents.
  var isUnasked: Bool {
    thumbnailState.isRight && thumbnailCheck == nil
      || originalState == .stored && originalCheck == nil
  }
}

extension ImageFields {
  /// The fields from the tenth column of `StoredImage.columns` on.
  fileprivate init(_ row: Row) {
    title = row[9]
    caption = row[10]
    author = row[11]
    licence = row[12]
    published = row[13]
    pageAddress = row[14]
    thumbnailAddress = row[15]
    originalAddress = row[16]
    width = row[17]
    height = row[18]
  }
}
