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

  var entries: [FeedEntry] = []
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
      let found = EntryImages(of: entry, in: feed, relativeTo: .document).found().entry
      imageCount += found?.images.count ?? 0
      self.entries.append(found)
    }
  }
}

/// Finds out whether a JSON Feed repeats an icon as the `image` of every item.
///
/// An icon that the feed declares is known at once. One that it does not declare shows only by the
/// repetition, so as long as every item names the same picture the items are held back: until
/// another picture comes, which clears them all, or until there are so many that it must be an
/// icon. That is decided by the items alone, never by how they arrived.
struct IconRepetition {
  private struct Held {
    let entry: FeedEntry
    /// What the item has when the picture is an icon.
    let withoutIcon: FeedEntry?
    /// Whether the item names the picture at all.
    var isRepetition = true
  }

  private enum State {
    case watching
    case isIcon
    case isNone
  }

  /// Fewer than this can be two posts about one picture.
  private static let leastRepetitions = 3

  private var state = State.watching
  private var picture: String?
  private var held: [Held] = []

  /// Takes an item whose picture a field of it names, and answers with the items that are decided.
  mutating func take(
    _ entry: FeedEntry,
    field: String,
    withoutIcon: (String) -> FeedEntry?
  ) -> [FeedEntry] {
    if state == .isNone { return [entry] }
    if let picture, picture != field { return state == .isIcon ? [entry] : release() + [entry] }
    let other = withoutIcon(field)
    if state == .isIcon { return [other].compactMap(\.self) }
    picture = field
    held.append(Held(entry: entry, withoutIcon: other))
    return held.count < FormatLimits.heldBackEntries ? [] : decided()
  }

  /// Takes an item that has other pictures, and answers with the items that are decided.
  ///
  /// While items before it are held back it waits with them, for the order's sake.
  mutating func pass(_ entry: FeedEntry) -> [FeedEntry] {
    if held.isEmpty { return [entry] }
    held.append(Held(entry: entry, withoutIcon: entry, isRepetition: false))
    let count = held.reduce(0) { $0 + $1.entry.images.count }
    let isFull =
      held.count >= FormatLimits.heldBackEntries || count > FormatLimits.heldBackImages
    return isFull ? decided() : []
  }

  /// Answers with what is still held back at the end of the feed.
  mutating func finish() -> [FeedEntry] { decided() }

  /// Decides by what is held back.
  private mutating func decided() -> [FeedEntry] {
    guard held.count(where: \.isRepetition) >= Self.leastRepetitions else { return release() }
    state = .isIcon
    return emptied().compactMap(\.withoutIcon)
  }

  /// There is no icon, for another picture has come or the same one too rarely.
  private mutating func release() -> [FeedEntry] {
    state = .isNone
    return emptied().map(\.entry)
  }

  private mutating func emptied() -> [Held] {
    defer { held = [] }
    return held
  }
}
