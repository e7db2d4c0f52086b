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

  /// A hash of the thumbnail's address without its signature, or of the original's if that has one and is alone.
  ///
  /// It is the same in each answer of a server that signs addresses.
  package var thumbnailHash: Int64? { Self.thumbnailHash(of: fields) }

  /// The hashes by which a stored image may be found: `thumbnailHash`, then the one that rows of older libraries have.
  ///
  /// That is of the thumbnail's whole address, with its signature.
  package var thumbnailHashes: [Int64] {
    let (hash, former) = (thumbnailHash, fields.thumbnailAddress.map(Self.hash))
    return [hash, former == hash ? nil : former].compactMap { $0 }
  }

  package static func thumbnailHash(of fields: ImageFields) -> Int64? {
    if let thumbnail = fields.thumbnailAddress { return StableHash.of(unsigned(thumbnail)) }
    let original = unsigned(fields.originalAddress)
    return original == identity(of: fields.originalAddress) ? nil : StableHash.of(original)
  }

  private static func unsigned(_ text: String) -> String {
    WebAddress(text)?.unsignedIdentity ?? text
  }

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
  /// The addresses of other renditions, as in `FeedImage`; they are neither compared nor looked up.
  package var renditions: [String] = []

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
    if !image.renditions.isEmpty { renditions = image.renditions.map { Self.storable($0.text) } }
  }

  package static func == (one: ImageFields, other: ImageFields) -> Bool {
    isSame(one.originalAddress, other.originalAddress)
      && isSame(one.thumbnailAddress, other.thumbnailAddress)
      && isSame(one.title, other.title) && isSame(one.caption, other.caption)
      && isSame(one.author, other.author) && isSame(one.licence, other.licence)
      && isSame(one.pageAddress, other.pageAddress) && one.published == other.published
      && one.width == other.width && one.height == other.height
  }

  /// Whether the title or the date is the same in both.
  package func agrees(with other: ImageFields) -> Bool {
    title != nil && title == other.title || published != nil && published == other.published
  }

  /// Whether all addresses differ only in signatures, and both may belong to one post.
  ///
  /// What looks like a signature may tell the pictures of a program apart. So where the path does not name a picture,
  /// the title or the date has to agree.
  package func isSignedAnew(in other: ImageFields) -> Bool {
    guard (thumbnailAddress == nil) == (other.thumbnailAddress == nil) else { return false }
    let pairs =
      [(originalAddress, other.originalAddress)]
      + [(thumbnailAddress, other.thumbnailAddress)].compactMap { one, two in
        one.flatMap { one in two.map { (one, $0) } }
      }
    return mayShareAPost(with: other)
      && pairs.allSatisfy { one, two in
        guard let one = WebAddress(one), let two = WebAddress(two) else { return false }
        return one.unsignedIdentity == two.unsignedIdentity
          && (one.hasPictureName || agrees(with: other))
      }
  }

  /// Whether both may belong to one post: its date decides, or its title when only one of them has a date.
  package func mayShareAPost(with other: ImageFields) -> Bool {
    if let published, let date = other.published { return published == date }
    if let title, let words = other.title { return title == words }
    return true
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
  /// Whether only the signatures of addresses have changed, or which of several hosts they name.
  package var isOfSignatures: Bool

  /// The effect of a change in one entry: an address that only has another signature is that of the same file.
  package init(from old: ImageFields, to new: ImageFields) {
    let hasLength = old.bytes != nil && old.bytes == new.bytes
    let isKept = Self.isSameFile(old.originalAddress, new.originalAddress, orName: hasLength)
    thumbnail =
      switch (old.thumbnailAddress, new.thumbnailAddress) {
      case (nil, nil): isKept ? .kept : .unmade
      case (_, nil): .unmade
      case (let old?, let new?) where Self.isSameFile(old, new, orName: hasLength && isKept): .kept
      default: .wanted
      }
    outdatesOriginal = !isKept
    isRedated = old.published != new.published
    isOfSignatures = thumbnail == .kept && isKept && Self.differsInSignatures(old, new)
  }

  private static func isSameFile(_ old: String, _ new: String, orName: Bool) -> Bool {
    if DocumentImage.isSame(old, new) { return true }
    guard let old = WebAddress(old), let new = WebAddress(new) else { return false }
    return old.namesSameFile(as: new) || orName && old.sharesName(with: new)
  }

  private static func differsInSignatures(_ old: ImageFields, _ new: ImageFields) -> Bool {
    let isSigned =
      !DocumentImage.isSame(old.originalAddress, new.originalAddress)
      || !DocumentImage.isSame(old.thumbnailAddress ?? "", new.thumbnailAddress ?? "")
    var resigned = old
    resigned.originalAddress = new.originalAddress
    resigned.thumbnailAddress = new.thumbnailAddress
    return isSigned && resigned == new
  }
}

/// The id of an entry, with the hash by which it is looked up.
package struct EntryID: Sendable, Equatable {
  package var text: String
  /// A `StableHash` of the text.
  package var hash: Int64
  /// Whether it is the address of the entry's page, because the document does not give an id.
  package private(set) var isPage = false

  package init(_ id: String) {
    text = ImageFields.storable(id)
    hash = StableHash.of(text)
  }

  package init(page address: WebAddress) {
    self.init(address.text)
    isPage = true
  }

  /// The same id as a site writes it that moves to https, or drops or adds `www.` or a final slash.
  package var respellings: [EntryID] {
    WebAddress(text).map { $0.respellings.map { EntryID($0) } } ?? []
  }
}
