import FoundationEssentials
import GRDB

/// What a row of `thumbnail` has of a picture.
enum ThumbnailContent: Equatable {
  /// The bytes themselves, in the row.
  case bytes([UInt8])
  case packed(PackPlace)

  static let columns = "pack_id, position, bytes, checksum, data"

  /// Reads `columns`, which begin at a place of a row.
  init(_ row: Row, at index: Int) throws {
    guard let packID: Int64 = try row.value(index) else {
      self = .bytes([UInt8](try row.value(index + 4) as Data))
      return
    }
    self = .packed(
      PackPlace(
        packID: packID,
        position: try row.bounded(index + 1),
        count: try row.bounded(index + 2),
        checksum: try row.value(index + 3)
      )
    )
  }
}
