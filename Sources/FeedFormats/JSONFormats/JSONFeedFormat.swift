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
  private var repeated: RepeatedPictures
  /// The icons that the feed declares, as written.
  private var icons: Set<String> = []

  init(source: FeedSource) {
    feed = FeedFacts(of: source)
    repeated = RepeatedPictures(of: source)
  }

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

  func release() { entries += repeated.decided() }

  func document(isSound: Bool) -> FeedDocument {
    feed.document(as: .jsonFeed, repeating: repeated)
  }

  private func item(_ value: JSONValue) {
    let images = EntryImages(of: entry(of: value), in: feed, relativeTo: .link)
    entries += repeated.take(images).entries
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
    entry.published = item["date_published"]?.scalar.flatMap { entry.date($0) }
    entry.updated = item["date_modified"]?.scalar.flatMap { entry.date($0) }
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
      entry.fields = []
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
