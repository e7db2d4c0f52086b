import Models

/// An image of an entry, before it has the entry's words and its thumbnail.
struct Picture {
  var address: WebAddress
  var width: Int?
  var height: Int?
  /// Small pictures of it, to choose the thumbnail from.
  var thumbnails: [Candidate] = []
  /// The other renditions of it, to choose from when no thumbnails are named.
  var renditions: [Candidate] = []
  var title: String?
  var caption: String?
  var author: String?
  var licence: String?
}
