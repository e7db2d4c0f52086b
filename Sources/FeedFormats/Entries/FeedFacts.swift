import Models
import Workers

/// What a feed says of itself that concerns its entries.
struct FeedFacts {
  /// The document's own address.
  let address: WebAddress
  var title: String?
  var author: String?
  var licence: String?
  var rights: String?
  /// Where the entries before these are.
  var nextPage: WebAddress?

  var continuation: FeedContinuation { nextPage.map { .nextPage($0) } ?? .none }

  /// Takes the address of the next page, as the document writes it.
  mutating func takeNextPage(_ reference: String, base: WebAddress?) {
    guard let page = (base ?? address).resolvingEscaped(reference),
      NotImages.isReachable(page, from: address), page.identity != address.identity
    else { return }
    nextPage.fill(page)
  }
}
