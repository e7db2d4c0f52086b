import Models
import Workers

/// JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
final class JSONFeedFormat: JSONFormat {
  static func reads(_ members: [JSONMember], key: String, element: JSONValue?) -> Bool {
    let feed = JSONValue.object(members)
    let version = feed["version"]?.scalar ?? ""
    if version.contains("jsonfeed.org") { return true }
    guard key == "items" || feed["items"] != nil else { return false }
    if version == "1" || version == "1.0" || version == "1.1" { return feed["title"] != nil }
    return element?["content_html"] != nil || element?["content_text"] != nil
  }

  var images: [FeedImage] = []
  private var feed: FeedFacts
  private var repetition = IconRepetition()
  /// The icons the feed declares, as written.
  private var icons: Set<String> = []

  init(source: FeedSource) { feed = FeedFacts(address: source.address) }

  func member(_ key: String, _ value: JSONValue, depth: Int) {
    guard depth == 1 else { return }
    switch key {
    case "title": feed.title = line(value)
    case "next_url": if let page = value.string { feed.takeNextPage(page, base: nil) }
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
    default: break
    }
  }

  func document(isSound: Bool) -> FeedDocument {
    images += repetition.finish()
    return FeedDocument(
      format: .jsonFeed,
      title: feed.title,
      continuation: feed.continuation
    )
  }

  private func item(_ value: JSONValue) {
    let entry = entry(of: value)
    let found = images(of: entry)
    guard let field = entry.fields.first, entry.enclosures.isEmpty, found.count == 1 else {
      images += repetition.pass(found)
      return
    }
    images += repetition.take(found, field: field.reference) { self.images(without: $0, in: entry) }
  }

  private func images(of entry: Entry) -> [FeedImage] {
    EntryImages(of: entry, in: feed, relativeTo: .link).found().images
  }

  /// The images an entry has when a picture that its fields name does not count.
  private func images(without reference: String, in entry: Entry) -> [FeedImage] {
    var entry = entry
    entry.fields.removeAll { $0.reference == reference }
    return images(of: entry)
  }

  private func entry(of item: JSONValue) -> Entry {
    var entry = Entry()
    entry.id = item["id"]?.scalar
    entry.title = line(item["title"])
    entry.summary = caption(item["summary"])
    entry.content = caption(item["content_text"]) ?? caption(item["content_html"])
    entry.contentMarkup = EntryMarkup(Array((item["content_html"]?.string ?? "").utf8), base: nil)
    entry.author = line(item["authors"]?.elements.first?["name"]) ?? line(item["author"]?["name"])
    entry.licence = item["license"]?.string ?? item["licence"]?.string
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
    return entry
  }

  private func attachment(_ value: JSONValue) -> Candidate? {
    guard let reference = value["url"]?.string else { return nil }
    var candidate = Candidate(reference: reference)
    candidate.type = value["mime_type"]?.string
    return ImageTest.isImage(candidate) ? candidate : nil
  }

  private func line(_ value: JSONValue?) -> String? {
    value?.string.flatMap { PlainText.line(of: $0, limit: FormatLimits.title) }
  }

  private func caption(_ value: JSONValue?) -> String? {
    value?.string.flatMap { PlainText.line(of: $0, limit: FormatLimits.caption) }
  }
}
