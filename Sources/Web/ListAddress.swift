package import FoundationEssentials
package import Models

/// The list of images that a page or a response is about, as its address describes it.
///
/// Every list has an address, so Back, bookmarks and programs find it again.
package struct ListAddress: Equatable, Sendable {
  /// Only images of this feed, or of the feeds in this list of feeds.
  package var feedID: Int64?
  /// The words that an image must have; nil without a search.
  package var search: String?
  package var order: ImageQuery.Order = .newest
  package var since: Date?
  /// Only pinned images.
  package var isPinned = false
  /// The cursor at which the page begins, as the page before names it; nil for the first page.
  package var after: String?
  package var limit: Int?
  /// The part of the library that the reader may see; no address names it.
  package var part = LibraryPart()

  package init(feedID: Int64? = nil, search: String? = nil) {
    self.feedID = feedID
    self.search = search
  }

  /// The reason why an address does not describe a list.
  package struct Problem: Error, Equatable {
    package var text: String
  }

  /// Reads the parameters of a query (`feed`, `q`, `sort`, `since`, `pinned`, `after`, `limit`), and ignores others.
  ///
  /// - Parameters:
  ///   - parameters: The decoded parameters; of two with the same name, the last one counts.
  ///   - mostImages: The highest `limit`.
  /// - Throws: when a parameter has an invalid value.
  package init(_ parameters: [String: String], mostImages: Int) throws(Problem) {
    if let text = parameters["feed"], !text.isEmpty {
      guard let id = Int64(text) else {
        throw Self.problem("feed", text, "is not the id of a feed")
      }
      feedID = id
    }
    if let text = parameters["q"], text.contains(where: { !$0.isWhitespace }) { search = text }
    if let text = parameters["sort"], !text.isEmpty {
      guard let order = ImageQuery.Order(rawValue: text), order != .random else {
        let orders = ImageQuery.Order.allCases.filter { $0 != .random }.map(\.rawValue)
        throw Self.problem("sort", text, "is not one of \(orders.joined(separator: ", "))")
      }
      self.order = order
    }
    if let text = parameters["since"] {
      guard let date = try? Date(text, strategy: .iso8601) else {
        throw Self.problem("since", text, "is not a moment such as 2026-11-01T00:00:00Z")
      }
      since = date
    }
    if let text = parameters["limit"], !text.isEmpty {
      guard let limit = Int(text), (1...mostImages).contains(limit) else {
        throw Self.problem("limit", text, "is not a number from 1 to \(mostImages)")
      }
      self.limit = limit
    }
    if let text = parameters["pinned"], !text.isEmpty {
      guard text == "1" else { throw Self.problem("pinned", text, "is not 1") }
      isPinned = true
    }
    after = parameters["after"].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func problem(_ name: String, _ value: String, _ reason: String) -> Problem {
    Problem(text: "'\(value)' of the parameter \(name) \(reason)")
  }

  /// The query that asks the library for the list.
  package func query(limit usual: Int?) -> ImageQuery {
    ImageQuery(
      order: order,
      feedID: feedID,
      search: search,
      since: since,
      isPinned: isPinned,
      limit: limit ?? usual,
      part: part
    )
  }

  /// Whether this is the list of all images, from its beginning.
  package var isWhole: Bool {
    feedID == nil && search == nil && since == nil && !isPinned && after == nil && part.isWhole
  }

  // MARK: Its addresses

  /// The path of the list's page with the parameters, without the base path: `/`, `/feeds/3` or `/search`.
  package var page: String {
    if search != nil { return "/search" + parameters }
    return (feedID.map { "/feeds/\($0)" } ?? "/") + Self.text(parameters(withFeed: false))
  }

  /// The parameters, with a question mark before them; empty without parameters.
  package var parameters: String { Self.text(parameters(withFeed: true)) }

  /// The same list from its beginning.
  package var beginning: ListAddress {
    var first = self
    first.after = nil
    return first
  }

  package func sorted(by order: ImageQuery.Order) -> ListAddress {
    var sorted = beginning
    sorted.order = order
    return sorted
  }

  package func page(after cursor: String) -> ListAddress {
    var next = self
    next.after = cursor
    return next
  }

  private func parameters(withFeed: Bool) -> [(String, String)] {
    let all: [(String, String?)] = [
      ("feed", withFeed ? feedID.map { String($0) } : nil),
      ("q", search),
      ("sort", order == .newest ? nil : order.rawValue),
      ("since", since.map { $0.formatted(.iso8601) }),
      ("pinned", isPinned ? "1" : nil),
      ("limit", limit.map { String($0) }),
      ("after", after),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }

  private static func text(_ parameters: [(String, String)]) -> String {
    guard !parameters.isEmpty else { return "" }
    return "?" + parameters.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
  }
}

extension PercentEncoding {
  /// Decodes a query, or the body of a form (application/x-www-form-urlencoded, where a plus is a space).
  ///
  /// Bytes that are not UTF-8 become U+FFFD.
  package static func parameters(_ query: some StringProtocol) -> [String: String] {
    var result: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { decode(String($0).escaping("+", as: " ")) }
      result[parts[0]] = parts.count == 2 ? parts[1] : ""
    }
    return result
  }
}
