/// An image in a list for people: finished text, and nothing of where its original is.
package struct DisplayedImage: Equatable, Sendable {
  package var id: Int64
  /// When it was published, as an ISO 8601 date and time in UTC; empty when unknown.
  package var published: String
  /// The day of it, for a display that is short of room.
  package var day: String
  package var feed: String
  /// Empty when it has none.
  package var title: String
  /// `original` when the original is stored, `damaged` when it was found to be so, else empty.
  package var originalMark: String
  /// Whether a picture of it could not be had lately.
  package var hasFailed = false
  /// Its thumbnail; nil when there is none to draw.
  package var picture: Picture?

  /// What stands under the picture.
  package var caption: String { title.isEmpty ? String(id) : "\(id) \(title)" }
}
