import Models
import Workers

extension StoredOriginal {
  /// What a row says of the original of an image.
  init(_ row: OriginalQueries.File, in folder: LibraryFolder) {
    self.init(
      path: folder.original(sha256: row.sha256, fileExtension: row.info.format.fileExtension),
      sha256: row.sha256,
      info: row.info,
      isStale: row.state == .stale,
      address: row.address,
      validators: row.validators,
      checkDate: row.checkDate,
      isDamaged: row.isDamaged
    )
  }
}
