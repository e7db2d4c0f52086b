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

/// Finds out whether a JSON Feed repeats an icon as the `image` of every item.
///
/// An icon that the feed declares is known at once. One that it does not declare shows only by the
/// repetition, so as long as every item names the same picture the items are held back: until
/// another picture comes, which clears them all, or until there are so many that it must be an
/// icon. That is decided by the items alone, never by how they arrived.
struct IconRepetition {
  private struct Held {
    let images: [FeedImage]
    /// What the item has when the picture is an icon.
    let withoutIcon: [FeedImage]
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

  /// Takes an item's images, which a field of it names, and answers with those that are decided.
  mutating func take(
    _ images: [FeedImage],
    field: String,
    withoutIcon: (String) -> [FeedImage]
  ) -> [FeedImage] {
    if state == .isNone { return images }
    if let picture, picture != field { return state == .isIcon ? images : release() + images }
    if state == .isIcon { return withoutIcon(field) }
    picture = field
    held.append(Held(images: images, withoutIcon: withoutIcon(field)))
    return held.count < FormatLimits.heldBackEntries ? [] : decided()
  }

  /// Takes the images of an item that has others, and answers with those that are decided.
  ///
  /// While items before it are held back it waits with them, for the order's sake.
  mutating func pass(_ images: [FeedImage]) -> [FeedImage] {
    if held.isEmpty || images.isEmpty { return images }
    held.append(Held(images: images, withoutIcon: images, isRepetition: false))
    let count = held.reduce(0) { $0 + $1.images.count }
    let isFull =
      held.count >= FormatLimits.heldBackEntries || count > FormatLimits.heldBackImages
    return isFull ? decided() : []
  }

  /// Answers with what is still held back at the end of the feed.
  mutating func finish() -> [FeedImage] { decided() }

  /// Decides by what is held back.
  private mutating func decided() -> [FeedImage] {
    guard held.count(where: \.isRepetition) >= Self.leastRepetitions else { return release() }
    state = .isIcon
    return emptied().flatMap(\.withoutIcon)
  }

  /// There is no icon, for another picture has come or the same one too rarely.
  private mutating func release() -> [FeedImage] {
    state = .isNone
    return emptied().flatMap(\.images)
  }

  private mutating func emptied() -> [Held] {
    defer { held = [] }
    return held
  }
}
