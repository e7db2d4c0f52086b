import Models

/// The images of one entry of a document.
struct FeedEntry: Equatable {
  /// The entry's guid or id; nil when the document gives none.
  var id: String?
  var images: [FeedImage]
}
