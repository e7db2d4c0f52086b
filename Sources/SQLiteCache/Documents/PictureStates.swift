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
    let isSame = DocumentImage.isSame(old.originalAddress, image.fields.originalAddress)
    if old.thumbnailAddress == nil, image.fields.thumbnailAddress == nil {
      thumbnail = isSame ? stored.thumbnailState : .unmade
    } else {
      thumbnail = Self.thumbnail(
        stored.thumbnailState,
        from: old.thumbnailAddress,
        to: image.fields.thumbnailAddress
      )
    }
    original = stored.originalState == .stored && !isSame ? .stale : stored.originalState
    let isDue = old.published != image.fields.published
    if thumbnail.isRight { thumbnailCheck = isDue ? 0 : stored.thumbnailCheck ?? 0 }
    if original == .stored { originalCheck = isDue ? 0 : stored.originalCheck ?? 0 }
  }

  /// One that the feed names no more stays until another one has been made.
  private static func thumbnail(
    _ state: ThumbnailState,
    from old: String?,
    to new: String?
  ) -> ThumbnailState {
    guard let new else { return .unmade }
    guard let old, DocumentImage.isSame(old, new) else { return .wanted }
    return state
  }
}
