import Models

/// Finds out whether a JSON list is all its feed has, or a page of it.
struct JSONPaging {
  /// Names of members that lead to the next page.
  private static let next: Set<String> = [
    "next", "nextpage", "nexturl", "nextpageurl", "nexthref", "nextlink", "nextcursor",
    "nextpagetoken", "continue", "after", "cursor", "offset", "hasmore", "morepages",
  ]

  /// Names of members that count the images of all pages.
  private static let totals: Set<String> = [
    "total", "totalresults", "totalhits", "totalcount", "resultcount", "count", "totalitems",
  ]

  /// Names of members that count the pages.
  private static let pages: Set<String> = ["totalpages", "pages", "pagecount", "lastpage"]

  /// Parameters of an address that ask for a part of a list.
  private static let parameters: Set<String> = [
    "page", "p", "limit", "offset", "per_page", "perpage", "pagesize", "page_size", "count",
    "start", "cursor", "after", "before", "since", "skip", "max", "num", "n", "size", "first",
    "_page", "_limit", "_start", "_end", "rows", "take", "from", "pagetoken", "page_token",
    "maxresults", "max_results", "results", "index", "startindex",
  ]

  private(set) var hasFurtherPages = false
  private var total = 0

  /// Whether an address asks for a part of a list.
  static func asksForPart(_ address: WebAddress) -> Bool {
    (address.query ?? "").split(separator: "&").contains { parameter in
      parameters.contains(parameter.prefix { $0 != "=" }.lowercased())
    }
  }

  /// Takes note of a member that may speak of pages.
  mutating func note(_ key: String, _ value: JSONValue) {
    let letters = key.utf8.filter { $0.isLetter }.map(\.lowercased)
    let name = String(decoding: letters, as: UTF8.self)
    if Self.next.contains(name), Self.leadsOn(value) { hasFurtherPages = true }
    if Self.totals.contains(name) { total = max(total, value.integer ?? 0) }
    if Self.pages.contains(name), value.integer ?? 0 > 1 { hasFurtherPages = true }
  }

  /// Whether there are more images elsewhere than the document lists.
  func isPart(listing count: Int) -> Bool { hasFurtherPages || total > count }

  private static func leadsOn(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool(false), .string(""), .number("0"): false
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    default: true
    }
  }
}
