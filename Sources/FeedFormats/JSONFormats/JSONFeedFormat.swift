import Models
import Workers

/// JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
final class JSONFeedFormat: JSONFormat {
  static let kind = FeedFormat.Kind.feed

  static func reads(_ members: [JSONMember], key: String, element: JSONValue?) -> Bool {
    let feed = JSONValue.object(members)
    let version = feed["version"]?.scalar ?? ""
    if version.contains("jsonfeed.org") { return true }
    guard key == "items" || feed["items"] != nil else { return false }
    if version == "1" || version == "1.0" || version == "1.1" { return feed["title"] != nil }
    return element?["content_html"] != nil || element?["content_text"] != nil
  }

  var entries: [FeedEntry] = []
  private var feed: FeedFacts
  private var repetition = IconRepetition()
  /// The icons that the feed declares, as written.
  private var icons: Set<String> = []

  init(source: FeedSource) { feed = FeedFacts(of: source) }

  func member(_ key: String, _ value: JSONValue, depth: Int) {
    guard depth == 1 else { return }
    switch key {
    case "title": feed.title = line(value)
    case "next_url": if let page = value.string { feed.takeNextPage(page, base: nil) }
    case "feed_url": if let address = value.string { feed.takeTopic(address, base: nil) }
    case "icon", "favicon": if let icon = value.string { icons.insert(icon) }
    case "author": feed.author.fill(line(value["name"]))
    case "authors": feed.author = line(value.elements.first?["name"]) ?? feed.author
    case "license", "licence": feed.licence = value.string
    default: break
    }
  }

  func element(_ value: JSONValue, of key: String, depth: Int) {
    guard depth == 2 else { return }
    switch key {
    case "items": item(value)
    case "authors": feed.author.fill(line(value["name"]))
    case "hubs": takeHub(value)
    default: break
    }
  }

  /// Takes a hub that supports WebSub, formerly called PubSubHubbub; other hubs, such as rssCloud, do not.
  private func takeHub(_ hub: JSONValue) {
    guard ["websub", "pubsubhubbub"].contains(hub["type"]?.string?.lowercased()),
      let address = hub["url"]?.string
    else { return }
    feed.takeHub(address, base: nil)
  }

  func document(isSound: Bool) -> FeedDocument {
    entries += repetition.decided()
    return feed.document(as: .jsonFeed)
  }

  private func item(_ value: JSONValue) {
    let entry = entry(of: value)
    guard let found = finished(entry) else { return }
    guard let field = entry.fields.first, found.images.count == 1 else {
      entries += repetition.pass(found)
      return
    }
    entries += repetition.take(found, field: field.reference) { icon in
      var entry = entry
      entry.fields.removeAll { $0.reference == icon }
      entry.thumbnails.removeAll { $0.reference == icon }
      return self.finished(entry)
    }
  }

  private func finished(_ entry: Entry) -> FeedEntry? {
    EntryImages(of: entry, in: feed, relativeTo: .link).found().entry
  }

  private func entry(of item: JSONValue) -> Entry {
    var entry = Entry()
    entry.id = item["id"]?.scalar
    entry.title = line(item["title"])
    entry.summary = caption(item["summary"])
    entry.content = caption(item["content_text"]) ?? caption(item["content_html"])
    entry.contentMarkup = EntryMarkup(Array((item["content_html"]?.string ?? "").utf8), base: nil)
    entry.author = line(item["authors"]?.elements.first?["name"]) ?? line(item["author"]?["name"])
    let own = item["_gallery"] ?? .null
    entry.licence = item["license"]?.string ?? item["licence"]?.string ?? own["license"]?.string
    entry.published = item["date_published"]?.string.flatMap { FeedDate.read($0) }
    entry.updated = item["date_modified"]?.string.flatMap { FeedDate.read($0) }
    entry.link = item["url"]?.string ?? item["external_url"]?.string
    entry.fields = ["image", "banner_image"].compactMap { key in
      item[key]?.string.map { Candidate(reference: $0) }
    }
    entry.fields.removeAll { icons.contains($0.reference) }
    let attachments = item["attachments"]?.elements ?? []
    entry.enclosures = Array(
      attachments.lazy.compactMap(attachment).prefix(FormatLimits.picturesPerEntry)
    )
    if entry.enclosures.count == 1 {
      // This is the only attached picture; the item's main image is a smaller version of it.
      entry.thumbnails = Array(entry.fields.prefix(1))
      entry.enclosures[0].width = own["width"]?.integer
      entry.enclosures[0].height = own["height"]?.integer
    }
    return entry
  }

  private func attachment(_ value: JSONValue) -> Candidate? {
    guard let reference = value["url"]?.string else { return nil }
    let candidate = Candidate(
      reference: reference,
      type: value["mime_type"]?.string,
      bytes: value["size_in_bytes"]?.integer
    )
    return ImageTest.isImage(candidate) ? candidate : nil
  }

  private func line(_ value: JSONValue?) -> String? {
    value?.string.flatMap { PlainText.line(of: $0, limit: FormatLimits.title) }
  }

  private func caption(_ value: JSONValue?) -> String? {
    value?.string.flatMap { PlainText.line(of: $0, limit: FormatLimits.caption) }
  }
}

/// Detects whether a JSON Feed repeats an icon as the `image` of every item.
///
/// An icon that the feed declares is known at once. An undeclared icon shows only through
/// repetition, so the items are held back while each of them names the same picture. They are
/// released when another picture arrives, which proves that the picture is not an icon. Otherwise
/// the limit is reached, and the picture counts as an icon. The decision depends only on the items,
/// never on the timing of their arrival.
struct IconRepetition {
  private struct Held {
    let entry: FeedEntry
    /// The item without the picture, if that is an icon; nil if it then has no images.
    let withoutIcon: FeedEntry?
    /// Whether the item names the repeated picture.
    var isRepetition = true
  }

  private enum State {
    case watching
    case isIcon
    case isNone
  }

  /// The least repetitions of an icon; two posts may share a picture.
  private static let leastRepetitions = 3

  private var state = State.watching
  private var picture: String?
  private var held: [Held] = []

  /// Handles an item with a picture in a field, and returns the items that are decided.
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

  /// Handles an item with other pictures, and returns the items that are decided.
  ///
  /// While earlier items are held back, the item waits with them, to keep the order.
  mutating func pass(_ entry: FeedEntry) -> [FeedEntry] {
    if held.isEmpty { return [entry] }
    held.append(Held(entry: entry, withoutIcon: entry, isRepetition: false))
    let count = held.reduce(0) { $0 + $1.entry.images.count }
    let isFull =
      held.count >= FormatLimits.heldBackEntries || count > FormatLimits.heldBackImages
    return isFull ? decided() : []
  }

  /// Decides from the held items alone, and returns them.
  mutating func decided() -> [FeedEntry] {
    guard held.count(where: \.isRepetition) >= Self.leastRepetitions else { return release() }
    state = .isIcon
    return emptied().compactMap(\.withoutIcon)
  }

  /// Releases the held items: the picture is not an icon, because another one arrived or it occurred too rarely.
  private mutating func release() -> [FeedEntry] {
    state = .isNone
    return emptied().map(\.entry)
  }

  private mutating func emptied() -> [Held] {
    defer { held = [] }
    return held
  }
}
