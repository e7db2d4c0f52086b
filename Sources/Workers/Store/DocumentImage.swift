import FoundationEssentials
package import Models

/// An image of a document, with what it is looked up by.
///
/// An object, because it goes through several hands on its way into a row, and has many parts to copy.
package final class DocumentImage: Sendable {
  package let fields: ImageFields
  /// The `StableHash` that all spellings of the original's address share.
  package let originalHash: Int64

  package init(_ image: borrowing FeedImage) {
    fields = ImageFields(image)
    let address = image.originalAddress
    // Nearly always; the address is not read out of its text once more then.
    let isStoredAsItIs = fields.originalAddress.utf8.count == address.text.utf8.count
    originalHash =
      isStoredAsItIs
      ? StableHash.of(address.identity) : Self.hash(ofAddress: fields.originalAddress)
  }

  /// An image as another library has it.
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

/// What a feed says of an image, in the form that is stored and compared.
///
/// Two are equal when their bytes are: text that only looks alike is written again, because addresses
/// and the index of words go by bytes.
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
  /// As the feed declares them; not compared, and not looked up.
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

  /// SQLite ends a text at a null character: what would be cut there is kept without it, so that
  /// the image does not look changed with every sync.
  package static func storable(_ text: String) -> String {
    guard holdsNull(text) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" }))
  }

  /// Without a way out of the loop, so that it compares many bytes at once.
  private static func holdsNull(_ text: String) -> Bool {
    text.utf8Span.span.withUnsafeBytes { bytes in
      var least = UInt8.max
      for byte in bytes { least = min(least, byte) }
      return least == 0
    }
  }
}

/// What a change of an image means for its stored pictures: they stay, but may be outdated.
package struct PictureEffect: Sendable, Equatable {
  package enum Thumbnail: Sendable {
    /// It is what it was.
    case kept
    /// The feed names another one.
    case wanted
    /// The feed names none, so that one is to be made. A stored one stays until then.
    case unmade
  }

  package var thumbnail: Thumbnail
  /// Whether the feed names another original.
  package var outdatesOriginal: Bool
  /// Whether the date of publication has changed, so that servers are asked about the pictures at once.
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

/// The id of an entry, with what it is looked up by.
package struct EntryID: Sendable, Equatable {
  package var text: String
  /// A `StableHash` of the text.
  package var hash: Int64

  package init(_ id: String) {
    text = ImageFields.storable(id)
    hash = StableHash.of(text)
  }
}
