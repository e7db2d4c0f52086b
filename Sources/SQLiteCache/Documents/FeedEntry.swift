/// The images of one entry of a document.
struct FeedEntry {
  /// The entry's guid or id; nil when the document gives none.
  var id: String?
  var images: [DocumentImage]
}
