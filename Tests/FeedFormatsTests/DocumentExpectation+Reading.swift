import Models
import Workers

extension DocumentExpectation {
  /// What reading a document gave, in the words of an expectation.
  init(reading document: String, address: String = "https://example.org/folder/feed") throws {
    facts = ["document": document]
    do {
      let read = try ReadDocument(ReadDocument.bytes(of: document), address: address)
      describe(read.document)
      facts["images"] = String(read.images.count)
      if let first = read.images.first { describe(first, as: "first") }
      if let last = read.images.last { describe(last, as: "last") }
    } catch FeedError.notAFeed(let description) {
      facts["error"] = description
    }
  }

  private mutating func describe(_ document: FeedDocument) {
    facts["format"] = document.format.rawValue
    facts["title"] = document.title
    facts["everything"] = document.listsEverything ? "yes" : nil
    facts["warnings"] = document.flaws.isEmpty ? nil : "yes"
    switch document.continuation {
    case .none: break
    case .nextPage(let address): facts["next"] = address.text
    case .members(let addresses): describe(addresses, as: "members")
    case .feeds(let addresses): describe(addresses, as: "feeds")
    }
  }

  private mutating func describe(_ addresses: [WebAddress], as name: String) {
    facts[name] = String(addresses.count)
    facts["from"] = addresses.first?.text
    facts["to"] = addresses.last?.text
  }

  private mutating func describe(_ image: FeedImage, as name: String) {
    facts[name + " title"] = image.title
    facts[name + " thumbnail"] = image.thumbnailAddress?.text
    facts[name + " original"] = image.originalAddress.text
  }
}
