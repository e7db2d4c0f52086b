import Models
import Workers

/// The formats whose documents are JSON; the last takes whatever the others do not.
enum JSONFormats {
  static let all: [any JSONFormat.Type] = [
    JSONFeedFormat.self, IIIFFormat.self, JSONListFormat.self,
  ]
}

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

  var entries: [FeedEntry] = []
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
    entries += repetition.finish()
    return FeedDocument(
      format: .jsonFeed,
      title: feed.title,
      continuation: feed.continuation
    )
  }

  private func item(_ value: JSONValue) {
    let entry = entry(of: value)
    guard let found = finished(entry) else { return }
    guard let field = entry.fields.first, entry.enclosures.isEmpty, found.images.count == 1 else {
      entries += repetition.pass(found)
      return
    }
    entries += repetition.take(found, field: field.reference) { icon in
      var entry = entry
      entry.fields.removeAll { $0.reference == icon }
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
    candidate.bytes = value["size_in_bytes"]?.integer
    return ImageTest.isImage(candidate) ? candidate : nil
  }

  private func line(_ value: JSONValue?) -> String? {
    value?.string.flatMap { PlainText.line(of: $0, limit: FormatLimits.title) }
  }

  private func caption(_ value: JSONValue?) -> String? {
    value?.string.flatMap { PlainText.line(of: $0, limit: FormatLimits.caption) }
  }
}

/// The members of one object of a JSON list, sorted by what they are for.
struct JSONFields {
  /// A member that may name pictures.
  struct Source {
    let key: String
    let rank: Int
    let value: JSONValue
  }

  private static let kindCount = JSONRole.Kind.allCases.count

  private var facts = [Source?](repeating: nil, count: Self.kindCount)
  private(set) var originals: [Source] = []
  private(set) var thumbnails: [Source] = []
  /// Objects that hold the entry's picture in small sizes.
  private(set) var previews: [JSONValue] = []
  private(set) var further: [JSONValue] = []
  /// Members that may have pictures inside, the most likely first.
  private(set) var nested: [JSONValue] = []

  init(of object: JSONValue, roles: inout JSONRoles) {
    var others: [JSONValue] = []
    var pictures: [Source] = []
    var holders: [Source] = []
    for member in object.members {
      if Self.isEmpty(member.value) { continue }
      let role = roles.role(of: member.key)
      let source = Source(key: member.key, rank: role?.rank ?? .max, value: member.value)
      switch role?.kind {
      case .original?: take(original: source, holders: &holders)
      case .thumbnail?:
        thumbnails.append(source)
        if !Self.isScalar(member.value) { others.append(member.value) }
      case .pictures? where Self.isScalar(member.value): thumbnails.append(source)
      case .pictures?:
        pictures.append(source)
        if member.key == "preview" { previews.append(member.value) }
      case .furtherPictures?: further.append(member.value)
      case .words?:
        takeWords(of: member.value, roles: &roles)
        others.append(member.value)
      case .foreign?: break
      case let kind?: take(fact: source, kind: kind)
      case nil:
        if !Self.isScalar(member.value) { others.append(member.value) }
      }
    }
    originals.sort { $0.rank < $1.rank }
    originals = Array(originals.prefix(FormatLimits.sizes))
    thumbnails = Array(thumbnails.prefix(FormatLimits.sizes))
    nested = Self.sorted(pictures) + Self.sorted(holders) + others
  }

  /// The member that means this best; nil when there is none.
  subscript(_ kind: JSONRole.Kind) -> JSONValue? { facts[kind.rawValue]?.value }

  private mutating func take(original: Source, holders: inout [Source]) {
    if !Self.isScalar(original.value) { holders.append(original) }
    if case .array = original.value { return }
    originals.append(original)
  }

  private static let wordKinds: Set<JSONRole.Kind> = [.title, .caption, .author, .licence, .date]

  /// Takes what an object of words says and nothing beside it says better.
  private mutating func takeWords(of object: JSONValue, roles: inout JSONRoles) {
    for member in object.members where !Self.isEmpty(member.value) {
      guard let role = roles.role(of: member.key), Self.wordKinds.contains(role.kind) else {
        continue
      }
      let fact = Source(key: member.key, rank: role.rank, value: member.value)
      take(fact: fact, kind: role.kind)
    }
  }

  private static func isEmpty(_ value: JSONValue) -> Bool {
    value == .null || value == .string("") || value == .array([])
  }

  private static func sorted(_ sources: [Source]) -> [JSONValue] {
    sources.sorted { $0.rank < $1.rank }.map(\.value)
  }

  private mutating func take(fact: Source, kind: JSONRole.Kind) {
    let known = facts[kind.rawValue]
    if known == nil || fact.rank < known?.rank ?? 0 { facts[kind.rawValue] = fact }
    guard kind == .address else { return }
    take(fact: Source(key: fact.key, rank: fact.rank + 100, value: fact.value), kind: .page)
  }

  private static func isScalar(_ value: JSONValue) -> Bool {
    switch value {
    case .array, .object: false
    default: true
    }
  }
}

/// Reads the words of an entry out of an object of a JSON list.
extension Entry {
  /// Takes what the object says and the entry does not know yet.
  mutating func fill(from fields: JSONFields) {
    id.fill(fields[.id]?.scalar)
    title.fill(JSONWords.text(fields[.title], limit: FormatLimits.title))
    summary.fill(JSONWords.text(fields[.caption], limit: FormatLimits.caption))
    author.fill(JSONWords.name(fields[.author]).map(PersonName.inMailAddress))
    licence.fill(JSONWords.name(fields[.licence]))
    published.fill(JSONWords.date(fields[.date]))
    link.fill(JSONWords.address(fields[.page]))
  }
}
