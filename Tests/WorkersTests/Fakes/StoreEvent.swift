import Models

/// Something that was written to a fake store.
enum StoreEvent: Sendable, Equatable {
  /// Images by name.
  case appended([String])
  /// The end of a document, with the images that came with it.
  case finished([String], Validators)
  case brokenOff(problem: String)
  case noted(Feed.Status, problem: String?, Validators?)
  /// Thumbnails in one transaction, by image.
  case storedThumbnails([Int64])
  case committed(imageID: Int64, [UInt8], PictureInfo, from: WebAddress, Validators)
  case discarded(imageID: Int64)
  case flushed
}
