import Models

/// Tells whether a stored thumbnail is the picture that was stored, by its bytes alone.
enum ThumbnailCheck {
  /// What is wrong with it; nil when nothing is.
  static func damage(of thumbnail: StoredThumbnail) -> Damage? {
    guard let check = PictureCheck(thumbnail.bytes) else {
      return .notAPicture(looksLike: ContentKind(thumbnail.bytes).noun)
    }
    if check.completeness == .cut { return .cut(check.info.format) }
    guard let info = thumbnail.info else { return nil }
    if info.format != check.info.format { return .otherFormat(check.info.format) }
    let count = thumbnail.bytes.count
    return info.bytes == count ? nil : .otherLength(count, expected: info.bytes)
  }
}
