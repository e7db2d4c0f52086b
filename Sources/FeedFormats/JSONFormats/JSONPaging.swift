import Models

/// Detects whether a JSON list is complete or a page of its feed, and finds the next page.
///
/// Lists describe their pages in four ways: by the next page's address, by its number, by a token
/// to send back, or by the number of pages. The first of these that a list has counts.
struct JSONPaging {
  /// Names of members that contain the next page.
  private static let next: Set<String> = [
    "next", "nextpage", "nexturl", "nextpageurl", "nexthref", "nextlink", "nextpageuri",
  ]

  /// Names of tokens to send back in the query, with the parameter for each.
  private static let words = [
    "after": "after", "nextcursor": "cursor", "cursor": "cursor", "endcursor": "after",
    "nextpagetoken": "pageToken", "continuationtoken": "continuationToken",
    "nextoffset": "offset",
  ]

  /// Names of members that indicate more images.
  private static let more: Set<String> = [
    "offset", "hasmore", "morepages", "hasnextpage", "hasnext", "more", "nextpage",
  ]

  /// Names of members with the number of images on all pages.
  private static let totals: Set<String> = [
    "total", "totalresults", "totalhits", "totalcount", "resultcount", "count", "totalitems",
    "found",
  ]

  /// Names of members with the number of pages.
  private static let pages: Set<String> = [
    "totalpages", "pages", "pagecount", "lastpage", "numpages",
  ]

  /// Names of members with the number of this page.
  private static let numbers: Set<String> = ["page", "currentpage", "pagenumber"]

  /// Names of objects that describe pages, below the document's own members.
  private static let holders: Set<String> = [
    "meta", "pagination", "paging", "links", "pageinfo", "cursors", "info",
  ]

  private(set) var hasFurtherPages = false
  private var total = 0
  private var address: WebAddress?
  private var number: Int?
  private var handedBack: [(name: String, value: String)] = []
  private var currentNumber: Int?
  private var pageCount = 0
  private let document: WebAddress

  init(of document: WebAddress) { self.document = document }

  /// Notes the facts about pages in a member of the document, or in an object in it.
  mutating func note(_ key: String, _ value: JSONValue) {
    take(key, value)
    if Self.name(key) == "continue" { takeContinuation(value) }
    for member in value.members {
      take(member.key, member.value)
      guard Self.holders.contains(Self.name(member.key)) else { continue }
      for inner in member.value.members { note(inner.key, inner.value) }
    }
  }

  /// Whether the feed has more images than the document lists.
  func isPart(listing count: Int) -> Bool {
    hasFurtherPages || total > count || nextPage != nil
  }

  /// The address of the next page; nil when the list does not name one, or names itself.
  var nextPage: WebAddress? {
    let next =
      address ?? number.flatMap(page)
      ?? (handedBack.isEmpty ? nil : document.asking(for: handedBack)) ?? countedPage
    return next?.identity == document.identity ? nil : next
  }

  /// The page after this one, if the list gives the number of pages.
  private var countedPage: WebAddress? {
    let asked = Self.numberParameters.lazy.compactMap { document.parameter($0).flatMap { Int($0) } }
    guard let current = currentNumber ?? asked.first else { return nil }
    return current < pageCount ? page(current + 1) : nil
  }

  /// The document's address with the number of another page.
  private func page(_ number: Int) -> WebAddress? {
    let known = Self.numberParameters.first { document.parameter($0) != nil }
    return document.asking(for: [(known ?? "page", String(number))])
  }

  /// Parameters for the number of a page, which some lists use.
  private static let numberParameters = ["page", "p", "_page", "pg", "paged"]

  private mutating func take(_ key: String, _ value: JSONValue) {
    let name = Self.name(key)
    if Self.next.contains(name) { takeNext(value) }
    if let parameter = Self.words[name], let word = value.scalar, Self.leadsOn(value) {
      hasFurtherPages = true
      if handedBack.isEmpty { handedBack = [(parameter, word)] }
    }
    if Self.more.contains(name), Self.leadsOn(value) { hasFurtherPages = true }
    if Self.totals.contains(name) { total = max(total, value.integer ?? 0) }
    if Self.numbers.contains(name) { currentNumber = value.integer }
    if Self.pages.contains(name), let count = value.integer, count > 1 {
      hasFurtherPages = true
      pageCount = count
    }
  }

  /// `"next": "…"`, `"next": 2`, `"next": {"href": "…"}`.
  private mutating func takeNext(_ value: JSONValue) {
    guard Self.leadsOn(value) else { return }
    hasFurtherPages = true
    let text = value.string ?? value["href"]?.string ?? value["url"]?.string
    if let text { takeAddress(text) }
    if address == nil, let number = value.integer { self.number = number }
  }

  /// Takes a continuation of MediaWiki, in which every member is a parameter of the next request.
  private mutating func takeContinuation(_ value: JSONValue) {
    guard Self.leadsOn(value) else { return }
    hasFurtherPages = true
    if let text = value.string { takeAddress(text) }
    handedBack = value.members.compactMap { member in
      member.value.scalar.map { (member.key, $0) }
    }
  }

  private mutating func takeAddress(_ text: String) {
    let isReference =
      JSONAddress.isAbsolute(text) || text.hasPrefix("/") || text.hasPrefix("?")
      || text.hasPrefix("./")
    guard address == nil, isReference, let next = document.resolvingEscaped(text), next.isWeb else {
      return
    }
    address = next
  }

  private static func name(_ key: String) -> String {
    String(decoding: key.utf8.filter { $0.isLetter }.map(\.lowercased), as: UTF8.self)
  }

  private static func leadsOn(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool(false), .string(""), .number("0"): false
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    default: true
    }
  }
}

extension WebAddress {
  /// The value of a parameter of the query, as written; nil if it is missing.
  func parameter(_ name: String) -> String? {
    for parameter in (query ?? "").split(separator: "&") {
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts[0] == name { return parts.count > 1 ? String(parts[1]) : "" }
    }
    return nil
  }

  /// The address with these parameters in place of those with the same names.
  ///
  /// Nil when it is not a web address, because only web servers accept parameters.
  func asking(for parameters: [(name: String, value: String)]) -> WebAddress? {
    guard isWeb else { return nil }
    let names = Set(parameters.map(\.name))
    let kept = (query ?? "").split(separator: "&").filter { parameter in
      !names.contains(String(parameter.prefix { $0 != "=" }))
    }
    let added = parameters.map { name, value in
      "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    }
    let path = text.prefix { $0 != "?" && $0 != "#" }
    return WebAddress(path + "?" + (kept.map(String.init) + added).joined(separator: "&"))
  }
}
