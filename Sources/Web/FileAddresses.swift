import Models
import Scenes

// The addresses of files of this machine are for commands alone. Everything that the server sends, and a static site,
// has them withheld by `WebAddress.published` and `WebAddress.withholdingFiles`. Messages lose them in `webText`.

extension Record {
  /// The members that are messages, which may contain an address.
  private static let messages: Set<String> = ["problem", "reason", "detail"]

  /// A copy without addresses of files: such a text is null.
  var withholdingFiles: Record {
    mapTexts { name, text in
      if Self.messages.contains(name) { return WebAddress.withholdingFiles(in: text) }
      // Most texts, such as hashes and titles, begin otherwise.
      guard text.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "f") else { return text }
      return WebAddress(text)?.isFile == true ? nil : text
    }
  }
}

extension ImageRecord {
  var withholdingFiles: ImageRecord {
    var record = self
    if let url = thumbnail.url, WebAddress(url)?.isFile == true { record.thumbnail.url = nil }
    if !failures.isEmpty { record.failures = failures.map(\.withholdingFiles) }
    return record
  }
}

extension DisplayedFeed {
  /// A feed without the address of a file; its number stands for its title if it has none.
  var withholdingFiles: DisplayedFeed {
    guard WebAddress(address)?.isFile == true else { return self }
    var feed = self
    feed.address = ""
    if title.isEmpty { feed.title = "Feed \(id)" }
    return feed
  }
}

extension DisplayedImageFacts {
  var withholdingFiles: DisplayedImageFacts {
    var facts = self
    if WebAddress(feed)?.isFile == true { facts.feed = "Feed \(feedID)" }
    facts.problem = problem.map(WebAddress.withholdingFiles)
    return facts
  }
}
