import FoundationEssentials
import Glibc
import Models

/// What a feed says of an image, in the form that is stored and compared.
///
/// Two are equal when their bytes are: text that only looks alike is written anew, because addresses
/// and the index of words go by bytes.
struct ImageFields: Equatable {
  var title: String?
  var caption: String?
  var author: String?
  var licence: String?
  var published: Int64?
  var pageAddress: String?
  var thumbnailAddress: String?
  var originalAddress: String
  var width: Int?
  var height: Int?

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
  }

  /// The column `shape`; nil when the feed does not say how large the image is.
  var shape: Int? {
    guard let width, let height else { return nil }
    return width == height ? 0 : width > height ? 1 : -1
  }

  static func == (one: ImageFields, other: ImageFields) -> Bool {
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
  static func storable(_ text: String) -> String {
    guard holdsNull(text) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" }))
  }

  private static func holdsNull(_ text: String) -> Bool {
    text.utf8Span.span.withUnsafeBytes { bytes in
      bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    }
  }
}
