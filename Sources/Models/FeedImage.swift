package import FoundationEssentials

/// An entry of a feed document: one post, item or canvas, with the images that it lists.
package struct FeedEntry: Sendable, Equatable {
  /// The guid or id; nil when the document does not give one.
  package var id: String?
  /// The images in the document's order, at least one; empty only in an explained entry, or beside repeated ones.
  package var images: [FeedImage]
  /// The addresses of pictures that so many entries repeat that they are no images, unless they are stored already.
  ///
  /// A document reports each of them once.
  package var repeated: [WebAddress]
  /// The explanation; nil unless the document is read to explain it.
  package var explanation: EntryExplanation?

  package init(
    id: String? = nil,
    images: [FeedImage],
    repeated: [WebAddress] = [],
    explanation: EntryExplanation? = nil
  ) {
    self.id = id
    self.images = images
    self.repeated = repeated
    self.explanation = explanation
  }
}

extension [FeedEntry] {
  /// The number of images in all entries.
  package var imageCount: Int { reduce(0) { $0 + $1.images.count } }

  /// Appends an entry, if there is one.
  package mutating func append(_ entry: FeedEntry?) { if let entry { append(entry) } }
}

/// An image as a document describes it, before the store gives it an id.
package struct FeedImage: Sendable, Equatable {
  /// One line of plain text.
  package var title: String?
  /// Plain text of any length.
  package var caption: String?
  package var author: String?
  /// The name or the address of a licence, as in the feed.
  package var licence: String?
  package var published: Date?
  /// The web page about the image.
  package var pageAddress: WebAddress?
  /// The address of the small picture; nil when the feed does not name one, or names the original.
  package var thumbnailAddress: WebAddress?
  /// The address of the full picture.
  package var originalAddress: WebAddress
  /// The original's width in pixels, as declared.
  package var width: Int?
  /// The original's height in pixels, as declared.
  package var height: Int?
  /// The original's length in bytes, as declared.
  package var bytes: Int?
  /// The other renditions of the picture, the best first; if one cannot be had, the next is asked for.
  ///
  /// They take the place of the original in their order, and that of the thumbnail from the end on.
  package var renditions: [WebAddress]

  package init(
    title: String? = nil,
    caption: String? = nil,
    author: String? = nil,
    licence: String? = nil,
    published: Date? = nil,
    pageAddress: WebAddress? = nil,
    thumbnailAddress: WebAddress? = nil,
    originalAddress: WebAddress,
    width: Int? = nil,
    height: Int? = nil,
    bytes: Int? = nil,
    renditions: [WebAddress] = []
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
    self.bytes = bytes
    self.renditions = renditions
  }
}

/// The description of an object, such as a book or a map, in a IIIF manifest.
///
/// All images of the manifest share it. It is a class, so that each of the many images without a manifest needs only
/// the space of a reference.
package final class Manifest: Sendable {
  /// A further fact about the object, such as "Shelf mark" and "MS 5".
  package struct Detail: Sendable, Equatable {
    package var label: String
    package var value: String

    package init(label: String, value: String) {
      self.label = label
      self.value = value
    }
  }

  /// The object's name as one line of plain text, like all other texts here.
  package let label: String?
  /// The web page about the object.
  package let pageAddress: WebAddress?
  /// The statement that has to be shown with the object.
  package let attribution: String?
  /// The name or the address of a licence.
  package let rights: String?
  package let details: [Detail]

  package init(
    label: String? = nil,
    pageAddress: WebAddress? = nil,
    attribution: String? = nil,
    rights: String? = nil,
    details: [Detail] = []
  ) {
    self.label = label
    self.pageAddress = pageAddress
    self.attribution = attribution
    self.rights = rights
    self.details = details
  }
}

extension Manifest: Equatable {
  package static func == (one: Manifest, other: Manifest) -> Bool {
    one === other
      || one.label == other.label && one.pageAddress == other.pageAddress
        && one.attribution == other.attribution && one.rights == other.rights
        && one.details == other.details
  }
}
