import FoundationEssentials
import Models

/// What a feed says of an image, in the form that is stored and compared.
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

  init(_ image: FeedImage) {
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

  /// SQLite ends a text at a null character: what would be cut there is kept without it, so that
  /// the image does not look changed with every sync.
  static func storable(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" }))
  }
}
