import Models
import Workers

/// Plain JSON lists of images, as countless programs and services give them.
final class JSONListFormat: JSONFormat {
  static func reads(_ members: [JSONMember], key: String, element: JSONValue?) -> Bool { true }

  /// Names of lists that may be empty and are lists of images all the same.
  private static let listNames: Set<String> = [
    "data", "entries", "hits", "images", "items", "list", "photo", "photos", "pictures",
    "records", "results", "wallpapers",
  ]

  var images: [FeedImage] = []
  private var feed: FeedFacts
  private var walker = JSONListWalker()
  private var paging: JSONPaging
  private var elementCount = 0
  private var imageCount = 0
  private var hasEmptyList = false

  init(source: FeedSource) {
    feed = FeedFacts(address: source.address)
    paging = JSONPaging(of: source.address)
  }

  func member(_ key: String, _ value: JSONValue, depth: Int) {
    paging.note(key, value)
    if depth == 1, key == "title" { feed.title = JSONWords.text(value, limit: FormatLimits.title) }
    take(walker.entries(in: value, key: key, isDocument: false))
  }

  func element(_ value: JSONValue, of key: String, depth: Int) {
    elementCount += 1
    take(walker.entries(inElement: value, of: key))
  }

  func emptyArray(of key: String) {
    hasEmptyList = hasEmptyList || key.isEmpty || Self.listNames.contains(key.lowercased())
  }

  func whole(_ value: JSONValue) {
    for member in value.members {
      paging.note(member.key, member.value)
      if member.value == .array([]) { emptyArray(of: member.key) }
      elementCount += member.value.elements.count
    }
    if case .string(let title)? = value["title"] {
      feed.title = PlainText.line(of: title, limit: FormatLimits.title)
    }
    take(walker.entries(in: value, key: "", isDocument: true))
  }

  func document(isSound: Bool) throws(FeedError) -> FeedDocument {
    guard imageCount > 0 || elementCount == 0 && hasEmptyList else {
      throw .notAFeed(looksLike: "JSON without a list of images")
    }
    var document = FeedDocument(format: .json, title: feed.title)
    document.listsEverything =
      isSound && imageCount > 0 && !paging.isPart(listing: max(elementCount, imageCount))
      && !feed.address.asksForPart
    if let next = paging.nextPage { document.continuation = .nextPage(next) }
    return document
  }

  private func take(_ entries: [Entry]) {
    for entry in entries {
      let found = EntryImages(of: entry, in: feed, relativeTo: .document).found().images
      imageCount += found.count
      images += found
    }
  }
}
