public import FoundationEssentials
package import Models
package import Workers

/// An image of a library, as its feed describes it, with what is stored of it.
public struct LibraryImage: Sendable, Equatable, Identifiable {
  /// The number of the image; it never changes, and no other image ever gets it.
  public var id: Int64
  /// The number of its feed.
  public var feedID: Int64
  /// The title of its feed; nil without one.
  public var feedTitle: String?
  /// The title: one line of plain text; nil without one.
  public var title: String?
  /// The caption: plain text of any length; nil without one.
  public var caption: String?
  /// The name of the author; nil without one.
  public var author: String?
  /// The name or the address of a licence, as in the feed.
  public var licence: String?
  /// The statement that has to be shown with the image (IIIF, `requiredStatement`); always nil in lists.
  public var attribution: String?
  /// The date of publication, as its feed says; nil without one.
  public var published: Date?
  /// When a sync first saw the image.
  public var firstSeen: Date
  /// The web page about the image.
  public var page: String?
  /// The address of the original, with what is secret in it.
  public var originalAddress: String
  /// The width of the original in pixels, as its feed declares it.
  public var width: Int?
  /// The height of the original in pixels, as its feed declares it.
  public var height: Int?
  /// Whether a right thumbnail is stored.
  public var hasThumbnail: Bool
  /// The stored original; nil unless its file is on this disk.
  public var original: PictureFile?
  /// Whether it is missing in a feed that lists all of its images.
  public var isGone: Bool
  /// Whether it is pinned, so that its pictures are kept.
  public var isPinned: Bool

  init(_ image: WebImage, original: PictureFile?) {
    (id, feedID, feedTitle) = (image.id, image.feed.id, image.feed.title)
    (title, caption, author, licence) = (image.title, image.caption, image.author, image.licence)
    attribution = image.manifest?.attribution
    (published, firstSeen) = (image.published, image.firstSeen)
    page = image.pageAddress?.text
    originalAddress = image.originalAddress.text
    (width, height) = (image.width, image.height)
    hasThumbnail = image.thumbnail != nil && !image.isThumbnailDamaged
    self.original = original
    (isGone, isPinned) = (image.isGone, image.isPinned)
  }

  /// Takes the stored original, whose file counts only if it is whole and on this disk.
  package init(_ image: WebImage, stored original: StoredOriginal?) {
    let file = original.flatMap { $0.isAway || $0.isDamaged ? nil : PictureFile($0) }
    self.init(image, original: file)
  }
}

/// The file of a stored original.
///
/// The library, or the folder that is a feed, owns it: read it, and never write to it.
public struct PictureFile: Sendable, Equatable {
  /// The absolute path.
  public var path: String
  /// The media type, by the content (RFC 6838), such as `image/jpeg`.
  public var mediaType: String
  /// The length in bytes.
  public var bytes: Int
  /// The width in pixels; nil if its header does not tell it.
  public var width: Int?
  /// The height in pixels; nil if its header does not tell it.
  public var height: Int?
  /// Whether the feed names another original now, which could not be fetched.
  public var isOutdated = false

  init(_ info: PictureInfo, path: String) {
    (self.path, mediaType, bytes) = (path, info.format.mediaType, info.bytes)
    (width, height) = (info.width, info.height)
  }

  package init(_ original: StoredOriginal) {
    self.init(original.info, path: original.path)
    isOutdated = original.isStale
  }
}

/// A stored thumbnail.
public struct Thumbnail: Sendable, Equatable {
  /// The whole file.
  public var bytes: [UInt8]
  /// The media type, by the content (RFC 6838), such as `image/jpeg`.
  public var mediaType: String
  /// The width in pixels; nil if its header does not tell it.
  public var width: Int?
  /// The height in pixels; nil if its header does not tell it.
  public var height: Int?

  init(_ bytes: [UInt8], _ info: PictureInfo) {
    (self.bytes, mediaType) = (bytes, info.format.mediaType)
    (width, height) = (info.width, info.height)
  }
}

/// A feed that a library follows.
public struct LibraryFeed: Sendable, Equatable, Identifiable {
  /// The number of the feed; it never changes, and no other feed ever gets it.
  public var id: Int64
  /// Its address, with what is secret in it.
  public var address: String
  /// Its title: the user's, or else that of its document; nil without one.
  public var title: String?
  /// The number of its images in the library.
  public var imageCount: Int
  /// Whether it is a list of feeds or another gallery, which has no images itself.
  public var isList: Bool
  /// The end of its last sync; nil before the first.
  public var lastSync: Date?
  /// The reason why its last sync failed, in words; nil when it succeeded.
  public var problem: String?

  init(_ feed: Feed) {
    (id, address, title) = (feed.id, feed.address.text, feed.title)
    (imageCount, isList) = (feed.imageCount, feed.isList)
    (lastSync, problem) = (feed.lastSync, feed.problem)
  }
}
