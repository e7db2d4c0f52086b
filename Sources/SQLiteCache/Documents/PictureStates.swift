import Models

/// What a change of an image means for its stored pictures: they stay, but may be outdated.
struct PictureStates: Equatable {
  var thumbnail: ThumbnailState
  var original: OriginalState

  init(_ stored: StoredImage, becoming image: DocumentImage) {
    let old = stored.fields
    thumbnail = Self.thumbnail(
      stored.thumbnailState,
      from: old.thumbnailAddress,
      to: image.fields.thumbnailAddress
    )
    let isSame = DocumentImage.isSame(old.originalAddress, image.fields.originalAddress)
    original = stored.originalState == .stored && !isSame ? .stale : stored.originalState
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
