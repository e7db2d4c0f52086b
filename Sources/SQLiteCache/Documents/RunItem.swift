/// An image of a document whose identity is known, or put off, before its place is.
struct RunItem {
  var image: DocumentImage
  /// The id that identifies it; nil when the document gives none, or uses it twice.
  var entryID: EntryID?
  /// Whether the document uses its entry's id twice.
  var isAmbiguous = false
  /// The stored image it is; nil for a new one; while put off, only a hint for its place.
  var stored: StoredImage?
}
