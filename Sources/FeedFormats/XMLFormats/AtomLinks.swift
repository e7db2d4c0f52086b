extension FeedFacts {
  /// Takes the licence, or the next page (RFC 5005, section 3), that a link of the feed leads to.
  mutating func openLink(_ element: XMLElement) {
    guard let address = element.attributes["href"] else { return }
    switch element.attributes["rel"] {
    case "license": licence.fill(address)
    case "next": takeNextPage(address, base: element.base)
    default: break
    }
  }
}

/// Atom's `link`, which other formats borrow.
extension Entry {
  /// Takes the enclosure, the web page or the licence that a link leads to.
  mutating func openAtomLink(_ element: XMLElement) {
    guard let address = element.attributes["href"] else { return }
    switch element.attributes["rel"] ?? "alternate" {
    case "enclosure":
      var enclosure = Candidate(reference: address, base: element.base)
      enclosure.type = element.attributes["type"]
      enclosures.append(enclosure)
      pictureCount += 1
    case "alternate": takePage(address, of: element)
    case "license": licence.fill(address)
    default: break
    }
  }

  /// Of several pages the first that is one for people to read is taken.
  private mutating func takePage(_ address: String, of element: XMLElement) {
    let type = element.attributes["type"] ?? "text/html"
    guard link == nil || type.contains("html") && !hasReadablePage else { return }
    link = address
    linkBase = element.base
    hasReadablePage = type.contains("html")
  }
}
