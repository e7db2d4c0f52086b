/// The part of a library that a client may see.
///
/// It is a condition of its own, beside those of the client's request. So nothing in a request can widen it.
package struct LibraryPart: Sendable, Hashable {
  /// The feed to which the images are limited; nil for all feeds.
  package var feedID: Int64?
  /// The words to which the images are limited; nil for all images.
  ///
  /// Words that the index drops, such as signs, match no image.
  package var search: String?

  package init(feedID: Int64? = nil, search: String? = nil) {
    self.feedID = feedID
    self.search = search
  }

  package var isWhole: Bool { feedID == nil && search == nil }
}
