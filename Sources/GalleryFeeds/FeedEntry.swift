public import FoundationEssentials
internal import Models

/// An entry of a document: a post, an item or a canvas, with the images that it shows.
public struct FeedEntry: Sendable, Equatable {
  /// The `guid` or `id`; nil if the document does not give one.
  public var id: String?
  /// The images, in the document's order.
  ///
  /// It is empty only in an explained entry, or beside ``repeated`` pictures.
  public var images: [FeedImage]
  /// The addresses of pictures that so many entries repeat that they are no images, such as a banner.
  ///
  /// A document reports each of them once.
  public var repeated: [String]
  /// The reasons for the images; nil unless ``FeedReader/explains`` is set.
  public var explanation: Explanation?

  init(_ entry: Models.FeedEntry) {
    id = entry.id
    images = entry.images.map { FeedImage($0) }
    repeated = entry.repeated.map(\.text)
    explanation = entry.explanation.map { Explanation($0) }
  }
}

/// An image, as a document describes it.
///
/// All addresses are absolute, and otherwise as the document has them.
public struct FeedImage: Sendable, Equatable {
  /// The address of the full picture.
  public var original: String
  /// The address of the small picture; nil if the document does not name one.
  public var thumbnail: String?
  /// The other sizes of the picture, the best first.
  public var renditions: [String]
  /// The title: one line of plain text; nil without one.
  public var title: String?
  /// The caption: plain text of any length; nil without one.
  public var caption: String?
  /// The name of the author, or what the document has in its place.
  public var author: String?
  /// The name or the address of a licence, as in the document.
  public var licence: String?
  /// The date of publication; nil if the entry has none that can be read.
  public var published: Date?
  /// The web page about the image.
  public var page: String?
  /// The original's width in pixels, as declared; nil if it is not.
  public var width: Int?
  /// The original's height in pixels, as declared; nil if it is not.
  public var height: Int?
  /// The original's length in bytes, as declared; nil if it is not.
  public var bytes: Int?

  init(_ image: Models.FeedImage) {
    original = image.originalAddress.text
    thumbnail = image.thumbnailAddress?.text
    renditions = image.renditions.map(\.text)
    (title, caption, author) = (image.title, image.caption, image.author)
    (licence, published) = (image.licence, image.published)
    page = image.pageAddress?.text
    (width, height, bytes) = (image.width, image.height, image.bytes)
  }
}
