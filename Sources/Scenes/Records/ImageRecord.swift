package import Models

/// An image in a list for scripts: raw values, without the address of its original.
///
/// It is a separate type instead of a `Record`, because a list can have a million of them.
package struct ImageRecord: Equatable, Sendable {
  package struct Feed: Equatable, Sendable {
    package var id: Int64
    package var title: String?
  }

  package struct Thumbnail: Equatable, Sendable {
    package var url: String?
    package var stored: Bool
    package var bytes: Int?
    package var type: String?
    package var width: Int?
    package var height: Int?
    package var sha256: String?
    package var damaged = false
  }

  /// The facts that a list has only on request, because they take another query.
  package struct Facts: Equatable, Sendable {
    package var pageURL: String?
    package var feedURL: String?
    package var isPinned = false
    /// The stored original; nil when it is not stored.
    package var original: PictureInfo?
    /// The path of its file; nil when this disk does not have it.
    package var file: String?
    /// The camera, and the time by its clock, as the stored original says.
    package var camera: String?
    package var taken: String?

    package init(
      pageURL: String? = nil,
      feedURL: String? = nil,
      isPinned: Bool = false,
      original: PictureInfo? = nil,
      file: String? = nil,
      camera: String? = nil,
      taken: String? = nil
    ) {
      (self.pageURL, self.feedURL) = (pageURL, feedURL)
      self.isPinned = isPinned
      self.original = original
      self.file = file
      (self.camera, self.taken) = (camera, taken)
    }
  }

  package var id: Int64
  package var title: String?
  package var caption: String?
  package var author: String?
  package var published: String?
  package var feed: Feed
  package var thumbnail: Thumbnail
  package var originalStored: Bool
  package var originalDamaged = false
  package var gone: Bool
  package var failures: [Record] = []
  package var facts: Facts?
  /// The licence, which `write(to:)` omits without `facts`; it always omits the width and the height.
  package var licence: String?
  /// The size of the original, as its feed declares it.
  package var width: Int?
  package var height: Int?

  /// A record without values, which is used to read the names of the members.
  package static let blank = ImageRecord(
    id: 0,
    feed: Feed(id: 0),
    thumbnail: Thumbnail(stored: false),
    originalStored: false,
    gone: false,
    facts: Facts()
  )

  /// The name of the first member of `facts`.
  package static let firstFact = "pageURL"
}

extension ImageRecord {
  package init(_ image: borrowing WebImage) {
    self.init(
      id: image.id,
      title: image.title,
      caption: image.caption,
      author: image.author,
      published: image.published.map(Wording.timestamp),
      feed: Feed(id: image.feed.id, title: image.feed.title),
      thumbnail: Thumbnail(image),
      originalStored: image.original.isStored,
      originalDamaged: image.isOriginalDamaged,
      gone: image.isGone,
      failures: image.failures.map { Record($0) },
      licence: image.licence,
      width: image.width,
      height: image.height
    )
  }
}

extension ImageRecord.Thumbnail {
  fileprivate init(_ image: borrowing WebImage) {
    self.init(
      url: image.thumbnailAddress?.masked,
      stored: image.thumbnail != nil,
      bytes: image.thumbnail?.bytes,
      type: image.thumbnail?.format.mediaType,
      width: image.thumbnail?.width,
      height: image.thumbnail?.height,
      sha256: image.thumbnail?.hash?.hexadecimal,
      damaged: image.isThumbnailDamaged
    )
  }
}

// MARK: The members

/// A writer that takes the members of an image's record one by one.
package protocol ImageMemberWriting: ~Copyable {
  mutating func member(_ name: StaticString, _ value: String?)
  mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?)
  mutating func member(_ name: StaticString, _ value: Bool)
  mutating func member(_ name: StaticString, _ members: (inout Self) -> Void)
  mutating func member(_ name: StaticString, _ failures: [Record])
}

extension ImageRecord {
  /// Writes the members of a page of the API, which has no other facts than the camera and the time of the picture.
  package func writeForAPI<Line: ImageMemberWriting & ~Copyable>(to line: inout Line) {
    writeDescription(to: &line)
    line.member("camera", facts?.camera)
    line.member("taken", facts?.taken)
  }

  /// Writes the members, both for JSON and for the formats of `list --format`.
  package func write<Line: ImageMemberWriting & ~Copyable>(to line: inout Line) {
    writeDescription(to: &line)
    guard let facts else { return }
    line.member("pageURL", facts.pageURL)
    line.member("licence", licence)
    line.member("pinned", facts.isPinned)
    line.member("original") { line in
      line.member("type", facts.original?.format.mediaType)
      line.member("bytes", facts.original?.bytes)
      line.member("sha256", facts.original?.hash?.hexadecimal)
      line.member("file", facts.file)
      line.member("width", facts.original?.width)
      line.member("height", facts.original?.height)
    }
    line.member("camera", facts.camera)
    line.member("taken", facts.taken)
    line.member("feedURL", facts.feedURL)
  }

  /// Writes the members that do not need `facts`.
  private func writeDescription<Line: ImageMemberWriting & ~Copyable>(to line: inout Line) {
    line.member("id", id)
    line.member("title", title)
    line.member("caption", caption)
    line.member("author", author)
    line.member("published", published)
    line.member("feed") { line in
      line.member("id", feed.id)
      line.member("title", feed.title)
    }
    line.member("thumbnail") { line in
      line.member("url", thumbnail.url)
      line.member("stored", thumbnail.stored)
      line.member("bytes", thumbnail.bytes)
      line.member("type", thumbnail.type)
      line.member("width", thumbnail.width)
      line.member("height", thumbnail.height)
      line.member("sha256", thumbnail.sha256)
      line.member("damaged", thumbnail.damaged)
    }
    line.member("originalStored", originalStored)
    line.member("originalDamaged", originalDamaged)
    line.member("gone", gone)
    line.member("failures", failures)
  }
}
