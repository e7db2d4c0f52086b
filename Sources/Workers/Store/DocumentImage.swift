import FoundationEssentials
package import Models

/// An image of a document, with the hash by which it is looked up.
///
/// It is an object, because it passes through several functions on its way into a row, and has many parts to copy.
package final class DocumentImage: Sendable {
  package let fields: ImageFields
  /// The `StableHash` that all spellings of the original's address share.
  package let originalHash: Int64

  package init(_ image: borrowing FeedImage) {
    fields = ImageFields(image)
    let address = image.originalAddress
    // This is the usual case, in which the address need not be parsed from its text again.
    let isStoredAsItIs = fields.originalAddress.utf8.count == address.text.utf8.count
    originalHash =
      isStoredAsItIs
      ? StableHash.of(address.identity) : Self.hash(ofAddress: fields.originalAddress)
  }

  /// An image of another library.
  package init(_ fields: ImageFields) {
    self.fields = fields
    originalHash = Self.hash(ofAddress: fields.originalAddress)
  }

  package var thumbnailHash: Int64? { fields.thumbnailAddress.map(Self.hash) }

  /// A hash that all spellings of one address share.
  package static func hash(ofAddress text: String) -> Int64 { StableHash.of(identity(of: text)) }

  /// Whether two spellings name the same picture.
  package static func isSame(_ one: String, _ other: String) -> Bool {
    one == other || identity(of: one) == identity(of: other)
  }

  package static func identity(of text: String) -> String { WebAddress(text)?.identity ?? text }
}

/// The fields of an image in a feed, in the form that is stored and compared.
///
/// Two values are equal if their bytes are. Text that only looks alike is written again, because addresses and the
/// index of words work with bytes.
package struct ImageFields: Sendable, Equatable {
  package var title: String?
  package var caption: String?
  package var author: String?
  package var licence: String?
  /// Seconds since 1970.
  package var published: Int64?
  package var pageAddress: String?
  package var thumbnailAddress: String?
  package var originalAddress: String
  package var width: Int?
  package var height: Int?
  /// As the feed declares them; they are neither compared nor looked up.
  package var bytes: Int?

  package init(
    title: String?,
    caption: String?,
    author: String?,
    licence: String?,
    published: Int64?,
    pageAddress: String?,
    thumbnailAddress: String?,
    originalAddress: String,
    width: Int?,
    height: Int?
  ) {
    self.title = title
    self.caption = caption
    self.author = author
    self.licence = licence
    self.published = published
    self.pageAddress = pageAddress
    self.thumbnailAddress = thumbnailAddress
    self.originalAddress = originalAddress
    self.width = width
    self.height = height
  }

  init(_ image: borrowing FeedImage) {
    title = image.title.map(Self.storable)
    caption = image.caption.map(Self.storable)
    author = image.author.map(Self.storable)
    licence = image.licence.map(Self.storable)
    published = image.published?.storedSeconds
    pageAddress = image.pageAddress.map { Self.storable($0.text) }
    thumbnailAddress = image.thumbnailAddress.map { Self.storable($0.text) }
    originalAddress = Self.storable(image.originalAddress.text)
    width = image.width
    height = image.height
    bytes = image.bytes
  }

  package static func == (one: ImageFields, other: ImageFields) -> Bool {
    isSame(one.originalAddress, other.originalAddress)
      && isSame(one.thumbnailAddress, other.thumbnailAddress)
      && isSame(one.title, other.title) && isSame(one.caption, other.caption)
      && isSame(one.author, other.author) && isSame(one.licence, other.licence)
      && isSame(one.pageAddress, other.pageAddress) && one.published == other.published
      && one.width == other.width && one.height == other.height
  }

  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return (one == nil) == (other == nil) }
    return one.utf8.elementsEqual(other.utf8)
  }

  /// Removes null characters, at which SQLite would end a text.
  ///
  /// Otherwise the image would seem changed in every sync.
  package static func storable(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" }))
  }
}

/// The effect of an image's change on its stored pictures, which stay but may be outdated.
package struct PictureEffect: Sendable, Equatable {
  package enum Thumbnail: Sendable {
    /// The thumbnail is the same as before.
    case kept
    /// The feed names another thumbnail.
    case wanted
    /// The feed does not name a thumbnail, so one is made.
    ///
    /// A stored thumbnail stays until then.
    case unmade
  }

  package var thumbnail: Thumbnail
  /// Whether the feed names another original.
  package var outdatesOriginal: Bool
  /// Whether the date of publication has changed, so that servers are asked about the pictures immediately.
  package var isRedated: Bool

  package init(from old: ImageFields, to new: ImageFields) {
    let isSame = DocumentImage.isSame(old.originalAddress, new.originalAddress)
    thumbnail =
      switch (old.thumbnailAddress, new.thumbnailAddress) {
      case (nil, nil): isSame ? .kept : .unmade
      case (_, nil): .unmade
      case (let old?, let new?) where DocumentImage.isSame(old, new): .kept
      default: .wanted
      }
    outdatesOriginal = !isSame
    isRedated = old.published != new.published
  }
}

/// The id of an entry, with the hash by which it is looked up.
package struct EntryID: Sendable, Equatable {
  package var text: String
  /// A `StableHash` of the text.
  package var hash: Int64

  package init(_ id: String) {
    text = ImageFields.storable(id)
    hash = StableHash.of(text)
  }
}
