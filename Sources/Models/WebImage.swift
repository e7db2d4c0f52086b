package import FoundationEssentials

/// An image of the library, as the store returns it and scenes pass it on.
package struct WebImage: Sendable, Equatable, Identifiable {
  /// The number of the image; it never changes and is never reused.
  package var id: Int64
  package var feed: FeedReference
  /// One line of plain text.
  package var title: String?
  /// Plain text of any length.
  package var caption: String?
  package var author: String?
  /// The name or the address of a licence, as in the feed.
  package var licence: String?
  package var published: Date?
  /// When a sync first saw the image.
  package var firstSeen: Date
  package var pageAddress: WebAddress?
  package var thumbnailAddress: WebAddress?
  package var originalAddress: WebAddress
  /// The original's width in pixels, as the feed declares it.
  package var width: Int?
  /// The original's height in pixels, as the feed declares it.
  package var height: Int?
  /// The stored thumbnail; nil when it is not stored.
  package var thumbnail: PictureInfo?
  package var original: OriginalState
  /// Whether the image is missing in a feed which lists all of its images.
  package var isGone: Bool
  /// Whether a check found the stored thumbnail damaged.
  package var isThumbnailDamaged: Bool
  /// Whether a check found the stored original damaged.
  package var isOriginalDamaged: Bool
  /// The manifest that contains the image; nil without a manifest, and always nil in listings.
  package var manifest: Manifest?
  /// Whether it is pinned, so that its pictures are kept; always false in listings.
  package var isPinned: Bool
  /// Recent failures of its pictures, at most one of each kind.
  package var failures: [PictureFailure]

  package init(
    id: Int64,
    feed: FeedReference,
    title: String? = nil,
    caption: String? = nil,
    author: String? = nil,
    licence: String? = nil,
    published: Date? = nil,
    firstSeen: Date,
    pageAddress: WebAddress? = nil,
    thumbnailAddress: WebAddress? = nil,
    originalAddress: WebAddress,
    width: Int? = nil,
    height: Int? = nil,
    thumbnail: PictureInfo? = nil,
    original: OriginalState = .missing,
    isGone: Bool = false,
    isThumbnailDamaged: Bool = false,
    isOriginalDamaged: Bool = false,
    isPinned: Bool = false,
    failures: [PictureFailure] = []
  ) {
    self.id = id
    self.feed = feed
    self.title = title
    self.caption = caption
    self.author = author
    self.licence = licence
    self.published = published
    self.firstSeen = firstSeen
    self.pageAddress = pageAddress
    self.thumbnailAddress = thumbnailAddress
    self.originalAddress = originalAddress
    self.width = width
    self.height = height
    self.thumbnail = thumbnail
    self.original = original
    self.isGone = isGone
    self.isThumbnailDamaged = isThumbnailDamaged
    self.isOriginalDamaged = isOriginalDamaged
    self.isPinned = isPinned
    self.failures = failures
  }
}
