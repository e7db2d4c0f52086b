import Models
import Workers

/// Plain JSON lists of images, as countless programs and services give them.
final class JSONListFormat: JSONFormat {
  static func reads(_ members: [JSONMember], key: String, element: JSONValue?) -> Bool { true }

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
    hasEmptyList = hasEmptyList || key.isEmpty || JSONListWalker.isListName(key)
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

/// Finds the entries of a JSON list, however deep they lie.
///
/// An element of an array is an entry. So is a member of an object that is keyed by ids, and the
/// document itself when it is one picture's description. Inside an entry the first source that
/// yields pictures wins, as in every format; outside, all sources count, in order.
struct JSONListWalker {
  /// Names that say nothing of what they hold.
  private static let wrappers: Set<String> = [
    "data", "item", "node", "image", "photo", "picture", "media", "attributes", "result", "fields",
  ]

  /// Names under which strings are taken for pictures without looking like ones.
  private static let pictureLists: Set<String> = [
    "", "images", "photos", "pictures", "gallery", "wallpapers", "urls", "additionalImages",
  ]

  /// Whether a name is that of a list of the document's own entries, though it be empty.
  static func isListName(_ name: String) -> Bool { listNames.contains(name.lowercased()) }

  private static let listNames: Set<String> = [
    "data", "entries", "hits", "images", "items", "list", "photo", "photos", "pictures",
    "records", "results", "wallpapers",
  ]

  private var roles = JSONRoles()

  /// The entries in an element of an array that is a member by `key`.
  mutating func entries(inElement element: JSONValue, of key: String) -> [Entry] {
    var entries: [Entry] = []
    walkElement(element, of: key, into: &entries)
    return Self.finished(entries)
  }

  /// The entries in an object that is a member by `key`, or the document.
  mutating func entries(in object: JSONValue, key: String, isDocument: Bool) -> [Entry] {
    var entries: [Entry] = []
    walkStructure(object, key: key, isDocument: isDocument, into: &entries)
    return Self.finished(entries)
  }

  private static func finished(_ entries: [Entry]) -> [Entry] {
    entries.filter(\.namesPictures).map(\.titled)
  }

  private mutating func walkStructure(
    _ value: JSONValue,
    key: String,
    isDocument: Bool,
    into entries: inout [Entry]
  ) {
    guard case .object(let members) = value else { return }
    let fields = JSONFields(of: value, roles: &roles)
    let isDescribed =
      isDocument
      ? Self.isEntry(members, fields) : fields[.id] != nil || fields[.title] != nil
    let isPicture = JSONPictures.picture(of: fields, in: value) != nil
    if isDescribed || isPicture {
      var entry = Entry()
      entry.fill(from: fields)
      if !isDocument, !Self.wrappers.contains(key) { entry.id.fill(key) }
      entries.append(entry)
      _ = read(value, fields, into: &entries, at: entries.count - 1)
      return
    }
    for member in members {
      for element in member.value.elements {
        walkElement(element, of: member.key, into: &entries)
      }
      walkStructure(member.value, key: member.key, isDocument: false, into: &entries)
    }
  }

  /// Whether a document is one entry, as a post is: it has an id, a date and a page, and no list.
  private static func isEntry(_ members: [JSONMember], _ fields: JSONFields) -> Bool {
    guard fields[.id] != nil, fields[.date] != nil, fields[.page] != nil else { return false }
    return !members.contains { member in
      isListName(member.key)
        && member.value.elements.contains { !$0.members.isEmpty }
    }
  }

  private mutating func walkElement(
    _ element: JSONValue,
    of key: String,
    into entries: inout [Entry]
  ) {
    switch element {
    case .object:
      entries.append(Entry())
      _ = readObject(element, into: &entries, at: entries.count - 1)
    case .array(let elements):
      for element in elements { walkElement(element, of: key, into: &entries) }
    case .string(let text) where Self.isPicture(text, under: key):
      entries.append(Entry())
      entries[entries.count - 1].units.append(JSONPictures.picture(at: text))
    default: break
    }
  }

  private static func isPicture(_ text: String, under key: String) -> Bool {
    guard JSONAddress.isAddress(text), !JSONAddress.isOtherMedium(text) else { return false }
    if ImageTest.hasImageExtension(text) { return true }
    return pictureLists.contains(key) && (JSONAddress.isAbsolute(text) || !key.isEmpty)
  }

  /// Reads an object into the entry at `index`; false when there are no pictures in it.
  private mutating func readObject(
    _ object: JSONValue,
    into entries: inout [Entry],
    at index: Int
  ) -> Bool {
    let fields = JSONFields(of: object, roles: &roles)
    entries[index].fill(from: fields)
    return read(object, fields, into: &entries, at: index)
  }

  private mutating func read(
    _ object: JSONValue,
    _ fields: JSONFields,
    into entries: inout [Entry],
    at index: Int
  ) -> Bool {
    if let unit = JSONPictures.picture(of: fields, in: object) {
      entries[index].add(unit)
      for value in fields.further { _ = readNested(value, into: &entries, at: index) }
      return true
    }
    for value in fields.nested where readNested(value, into: &entries, at: index) {
      if entries[index].thumbnails.isEmpty {
        entries[index].thumbnails = JSONPictures.thumbnails(of: fields)
      }
      return true
    }
    if let unit = JSONPictures.unlikelyPicture(of: fields) {
      entries[index].add(unit)
      return true
    }
    let room = FormatLimits.picturesPerEntry - entries[index].thumbnails.count
    entries[index].thumbnails += JSONPictures.thumbnails(of: fields).prefix(room)
    return !entries[index].thumbnails.isEmpty
  }

  private mutating func readNested(
    _ value: JSONValue,
    into entries: inout [Entry],
    at index: Int
  ) -> Bool {
    switch value {
    case .object: return readObject(value, into: &entries, at: index)
    case .array(let elements):
      var hasPictures = false
      for element in elements {
        let isAlone = elements.count == 1
        let found = readNestedElement(element, isAlone: isAlone, into: &entries, at: index)
        hasPictures = hasPictures || found
      }
      return hasPictures
    default: return false
    }
  }

  /// Reads an element of an array inside an entry: one of several pictures with ids of their own
  /// is an entry of its own, which has from the outer one what it does not say itself.
  private mutating func readNestedElement(
    _ element: JSONValue,
    isAlone: Bool,
    into entries: inout [Entry],
    at index: Int
  ) -> Bool {
    if let text = element.string {
      guard JSONAddress.isAddress(text), !JSONAddress.isOtherMedium(text) else { return false }
      entries[index].append(JSONPictures.picture(at: text))
      return true
    }
    guard case .object = element else { return false }
    let fields = JSONFields(of: element, roles: &roles)
    guard fields[.id] != nil, !isAlone else {
      return readObject(element, into: &entries, at: index)
    }
    var entry = Entry()
    entry.fill(from: fields)
    entry.fill(from: entries[index])
    entries.append(entry)
    return read(element, fields, into: &entries, at: entries.count - 1)
  }
}

extension Entry {
  /// Whether there is something to make an image of.
  fileprivate var namesPictures: Bool { !units.isEmpty || !thumbnails.isEmpty }

  /// Takes a picture, unless there are more than any entry has.
  fileprivate mutating func append(_ unit: MediaUnit) {
    if units.count < FormatLimits.picturesPerEntry { units.append(unit) }
  }

  /// Takes a picture; what was taken for the web page may be its address.
  fileprivate mutating func add(_ unit: MediaUnit) {
    append(unit)
    let isPicture = (unit.renditions + unit.thumbnails).contains { $0.reference == link }
    if isPicture { link = nil }
  }

  /// The entry with a short description for its title, where a list has no titles.
  fileprivate var titled: Entry {
    guard title == nil, let summary, summary.utf8.count <= FormatLimits.titleFromCaption else {
      return self
    }
    var titled = self
    titled.title = summary
    titled.summary = nil
    return titled
  }

  /// Takes from the entry around this one what it does not know itself.
  fileprivate mutating func fill(from outer: Entry) {
    title.fill(outer.title)
    author.fill(outer.author)
    licence.fill(outer.licence)
    published.fill(outer.published)
    link.fill(outer.link)
  }
}
