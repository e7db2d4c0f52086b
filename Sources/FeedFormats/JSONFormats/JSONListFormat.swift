import Models
import Workers

/// Plain JSON lists of images, as many programs and services publish them.
final class JSONListFormat: JSONFormat {
  static let kind = FeedFormat.Kind.list

  static func reads(_ members: [JSONMember], key: String, element: JSONValue?) -> Bool { true }

  var entries: [FeedEntry] = []
  private var feed: FeedFacts
  private var walker: JSONListWalker
  private var paging: JSONPaging
  private var elementCount = 0
  private var imageCount = 0
  private var hasEmptyList = false
  private var isMap = false
  /// Covers and the like, which are held back until the document turns out to have no other pictures.
  private var covers: [Entry] = []
  private var repeated: RepeatedPictures

  init(source: FeedSource) {
    feed = FeedFacts(of: source)
    repeated = RepeatedPictures(of: source)
    paging = JSONPaging(of: source.address)
    walker = JSONListWalker(isExplained: source.isExplained)
  }

  func member(_ key: String, _ value: JSONValue, depth: Int) {
    paging.note(key, value)
    if depth == 1 {
      if key == "title" { feed.title = JSONWords.text(value, limit: FormatLimits.title) }
      noteKind(key, value)
    }
    walker.walk(value, of: key)
    takeFound()
  }

  func element(_ value: JSONValue, of key: String, depth: Int) {
    elementCount += 1
    walker.walk(element: value, of: key)
    takeFound()
  }

  func emptyArray(of key: String) {
    hasEmptyList = hasEmptyList || key.isEmpty || JSONListWalker.isListName(key)
  }

  func whole(_ value: JSONValue) {
    for member in value.members {
      paging.note(member.key, member.value)
      noteKind(member.key, member.value)
      if member.value == .array([]) { emptyArray(of: member.key) }
      elementCount += member.value.elements.count
    }
    if case .string(let title)? = value["title"] {
      feed.title = PlainText.line(of: title, limit: FormatLimits.title)
    }
    walker.walk(document: value)
    takeFound()
  }

  func document(_ value: JSONValue) {
    if walker.holdsEntries(value) { return whole(value) }
    elementCount += 1
    walker.walk(element: value, of: "")
    takeFound()
  }

  func release() {
    entries += repeated.decided()
  }

  func document(isSound: Bool) throws(FeedError) -> FeedDocument {
    if imageCount == 0 { takeCovers() }
    let isExplained = feed.isExplained && !entries.isEmpty
    guard imageCount > 0 || elementCount == 0 && hasEmptyList || isExplained else {
      throw .notAFeed(looksLike: isMap ? "a GeoJSON map" : "JSON without a list of images")
    }
    var document = feed.document(as: .json, repeating: repeated)
    document.listsEverything =
      isSound && imageCount > 0 && !paging.isPart(listing: max(elementCount, imageCount))
      && !feed.address.asksForPart
    if let next = paging.nextPage { document.continuation = .nextPage(next) }
    return document
  }

  private func noteKind(_ key: String, _ value: JSONValue) {
    if key == "type", value == .string("FeatureCollection") { isMap = true }
  }

  private func takeFound() {
    let found = walker.takeFound()
    take(found.entries)
    if imageCount > 0 { return }
    covers += found.covers
    if covers.count > FormatLimits.heldBackEntries { takeCovers() }
  }

  private func takeCovers() {
    take(covers)
    covers = []
  }

  private func take(_ entries: [Entry]) {
    for entry in entries {
      let taken = repeated.take(EntryImages(of: entry, in: feed, relativeTo: .document))
      imageCount += taken.pictures
      self.entries += taken.entries
    }
  }
}
