import Models

/// What a change of an image means for its stored pictures: they stay, but may be outdated.
struct PictureStates: Equatable {
  var thumbnail: ThumbnailState
  var original: OriginalState
  /// When servers are asked about them: at once when the date of publication has changed, or when
  /// they were asked no more because the image had left the feed's documents.
  var thumbnailCheck: Int64?
  var originalCheck: Int64?

  init(_ stored: StoredImage, becoming image: DocumentImage) {
    let old = stored.fields
    thumbnail = Self.thumbnail(
      stored.thumbnailState,
      from: old.thumbnailAddress,
      to: image.fields.thumbnailAddress
    )
    let isSame = DocumentImage.isSame(old.originalAddress, image.fields.originalAddress)
    original = stored.originalState == .stored && !isSame ? .stale : stored.originalState
    let isDue = old.published != image.fields.published
    if thumbnail == .stored { thumbnailCheck = isDue ? 0 : stored.thumbnailCheck ?? 0 }
    if original == .stored { originalCheck = isDue ? 0 : stored.originalCheck ?? 0 }
  }

  private static func thumbnail(
    _ state: ThumbnailState,
    from old: String?,
    to new: String?
  ) -> ThumbnailState {
    guard let new else { return .none }
    guard let old, DocumentImage.isSame(old, new) else { return .wanted }
    return state
  }
}
