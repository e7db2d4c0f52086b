package import Scenes

/// A slide show for frames and televisions.
package struct FramePage {
  /// A picture to show.
  package struct Picture: Equatable, Sendable {
    package var id: Int64
    package var address: String
    package var title: String
    /// The address of its page.
    package var page: String

    package init(id: Int64, address: String, title: String, page: String) {
      self.id = id
      self.address = address
      self.title = title
      self.page = page
    }

    package var record: Record {
      [
        "id": .integer(id), "address": .text(address), "title": .text(title), "page": .text(page),
      ]
    }
  }

  /// The time for which a picture stays, in seconds: the usual time, and the allowed range.
  private static let usualSeconds = 30
  private static let seconds = 2...86_400

  package let page: Page

  /// - Parameters:
  ///   - list: The list that has the pictures.
  ///   - seconds: The time for which each picture stays; nil for the usual time.
  ///   - first: The first picture, for a page without scripts; nil when the list is empty.
  ///   - site: The server's pages.
  package init(_ list: ListAddress, seconds: Int?, first: Picture?, on site: Site) {
    let seconds = min(
      max(seconds ?? Self.usualSeconds, Self.seconds.lowerBound),
      Self.seconds.upperBound
    )
    var query: [String: Any] = [:]
    if let feedID = list.feedID { query["feed"] = feedID }
    if let search = list.search { query["q"] = search }
    page = Page(
      "frame",
      [
        "title": "Slide show",
        "query": query,
        "seconds": seconds,
        "image": first.map { ["address": $0.address, "title": $0.title, "page": $0.page] },
      ]
    )
  }
}
