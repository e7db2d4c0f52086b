import Models

/// What a feed says of itself that concerns its entries.
struct FeedFacts {
  /// The document's own address.
  let address: WebAddress
  var title: String?
  var author: String?
  var licence: String?
  var rights: String?
}
