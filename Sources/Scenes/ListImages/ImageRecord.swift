/// An image in a list for scripts: raw values, and nothing of where its original is.
package struct ImageRecord: Equatable, Sendable {
  package struct Feed: Equatable, Sendable {
    package var id: Int64
    package var title: String?
  }

  package struct Thumbnail: Equatable, Sendable {
    package var url: String?
    package var stored: Bool
    package var bytes: Int?
    package var type: String?
    package var width: Int?
    package var height: Int?
    package var damaged = false
  }

  package var id: Int64
  package var title: String?
  package var caption: String?
  package var author: String?
  package var published: String?
  package var feed: Feed
  package var thumbnail: Thumbnail
  package var originalStored: Bool
  package var originalDamaged = false
  package var gone: Bool
}
