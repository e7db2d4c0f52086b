package import FoundationEssentials

/// One image as a feed document names it: what a format yields, before the store gives it an id.
package struct FeedImage: Sendable, Equatable {
  /// The guid or id of the entry the image stands in; nil when the document gives none.
  package var entryID: String?
  /// The image's place among the images of its entry, from 0; 0 begins a new entry.
  package var placeInEntry: Int
  /// One line of plain text.
  package var title: String?
  /// Plain text of any length.
  package var caption: String?
  package var author: String?
  /// A name or an address of a licence, as the feed has it.
  package var licence: String?
  package var published: Date?
  /// The web page about the image.
  package var pageAddress: WebAddress?
  /// The small picture; nil when the feed names none or names the original itself.
  package var thumbnailAddress: WebAddress?
  /// The full picture.
  package var originalAddress: WebAddress
  /// The original's width in pixels, as declared.
  package var width: Int?
  /// The original's height in pixels, as declared.
  package var height: Int?

  package init(
    entryID: String? = nil,
    placeInEntry: Int = 0,
    title: String? = nil,
    caption: String? = nil,
    author: String? = nil,
    licence: String? = nil,
    published: Date? = nil,
    pageAddress: WebAddress? = nil,
    thumbnailAddress: WebAddress? = nil,
    originalAddress: WebAddress,
    width: Int? = nil,
    height: Int? = nil
  ) {
    self.entryID = entryID
    self.placeInEntry = placeInEntry
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
}
