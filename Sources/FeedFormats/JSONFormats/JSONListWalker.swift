import Models

/// Finds the entries of a JSON list at any depth.
///
/// An element of an array is an entry. So is a member of an object whose keys are ids, and the
/// document itself if it describes one picture. An object around a list of entries is an album or a
/// user. Its own pictures are covers, which count only if the document has no other pictures.
/// Inside an entry, the first source with pictures wins, as in every format. Outside entries, all
/// sources count, in order.
struct JSONListWalker {
  /// The entries and covers in a part of a document.
  struct Found {
    var entries: [Entry] = []
    var covers: [Entry] = []
  }

  /// Names of members that only wrap an entry, so that the name is not the entry's id.
  private static let wrappers: Set<String> = [
    "data", "item", "node", "image", "photo", "picture", "media", "attributes", "result", "fields",
  ]

  /// Names of lists in which any string that may be an address counts as a picture.
  private static let pictureLists: Set<String> = [
    "", "images", "photos", "pictures", "gallery", "wallpapers", "urls", "additionalImages",
  ]

  /// Whether a name is that of a list of the document's own entries, even an empty list.
  static func isListName(_ name: String) -> Bool { listNames.contains(name.lowercased()) }

  private static let listNames: Set<String> = [
    "data", "entries", "hits", "images", "items", "list", "photo", "photos", "pictures",
    "records", "results", "wallpapers",
  ]

  /// The most levels at which a list of entries may be nested in an object.
  private static let listDepth = 6

  private var entryReader = JSONEntryReader()
  private var found = Found()
  private let isExplained: Bool

  init(isExplained: Bool) { self.isExplained = isExplained }

  /// Returns the entries and covers found since the last call.
  mutating func takeFound() -> Found {
    defer { found = Found() }
    return found
  }

  /// Walks the document, if it is one small object.
  mutating func walk(document: JSONValue) {
    walkStructure(document, key: "", isDocument: true, isCover: false, isForeign: false)
  }

  /// Whether a document contains a list of entries, and is not an entry itself.
  mutating func holdsEntries(_ document: JSONValue) -> Bool { holdsEntries(document, depth: 0) }

  /// Walks a member of the document.
  mutating func walk(_ value: JSONValue, of key: String) {
    walkMember(JSONMember(key: key, value: value), isForeign: false)
  }

  /// Walks an element of the array `key`.
  mutating func walk(element: JSONValue, of key: String) {
    walkElement(element, of: key, isForeign: entryReader.name(key).role?.kind == .foreign)
  }

  private mutating func walkStructure(
    _ value: JSONValue,
    key: String,
    isDocument: Bool,
    isCover: Bool,
    isForeign: Bool
  ) {
    guard case .object(let members) = value else { return }
    let fields = entryReader.fields(of: value)
    guard isEntry(value, fields, isDocument: isDocument) else {
      for member in members { walkMember(member, isForeign: isForeign) }
      return
    }
    var entry = Entry()
    entry.fill(from: fields)
    if !isDocument, !Self.wrappers.contains(key) { entry.id.fill(key) }
    if holdsEntries(value, depth: 0) {
      keep(entryReader.own(fields, as: entry), isCover: true)
      for member in members { walkMember(member, isForeign: isForeign) }
    } else {
      let entries = entryReader.read(fields, as: entry)
      keep(explained(entries, by: value), isCover: isCover || isForeign)
    }
  }

  private mutating func walkMember(_ member: JSONMember, isForeign: Bool) {
    let name = entryReader.name(member.key)
    let isForeign = isForeign || name.role?.kind == .foreign
    for element in member.value.elements {
      walkElement(element, of: member.key, isForeign: isForeign)
    }
    walkStructure(
      member.value,
      key: member.key,
      isDocument: false,
      isCover: name.isBesideLists,
      isForeign: isForeign
    )
  }

  private mutating func walkElement(_ element: JSONValue, of key: String, isForeign: Bool) {
    switch element {
    case .object:
      let fields = entryReader.fields(of: element)
      var entry = Entry()
      entry.fill(from: fields)
      keep(explained(entryReader.read(fields, as: entry), by: element), isCover: isForeign)
    case .array(let elements):
      if walkMessage(elements) { return }
      for element in elements { walkElement(element, of: key, isForeign: isForeign) }
    case .string(let text) where Self.isPicture(text, under: key):
      var entry = Entry()
      entry.units.append(JSONPictures.picture(at: text))
      entry.unitPlace = .listed
      keep([entry], isCover: isForeign)
    default: break
    }
  }

  /// Walks a message of gallery-dl: 3 for a picture, its address, and an object that describes it.
  private mutating func walkMessage(_ message: [JSONValue]) -> Bool {
    guard message.count == 3, message[0] == .number("3"), let address = message[1].string,
      case .object = message[2], JSONAddress.isAbsolute(address),
      !JSONAddress.isOtherMedium(address)
    else { return false }
    var entry = Entry()
    entry.fill(from: entryReader.fields(of: message[2]))
    entry.units = [JSONPictures.picture(at: address)]
    entry.unitPlace = .listed
    keep([entry], isCover: false)
    return true
  }

  private mutating func keep(_ entries: [Entry], isCover: Bool) {
    for entry in entries where entry.namesPictures || entry.members?.isEmpty == false {
      if isCover {
        found.covers.append(entry.titled)
      } else {
        found.entries.append(entry.titled)
      }
    }
  }

  private static func isPicture(_ text: String, under key: String) -> Bool {
    guard JSONAddress.isAddress(text), !JSONAddress.isOtherMedium(text) else { return false }
    if ImageTest.hasImageExtension(text) { return true }
    return pictureLists.contains(key) && (JSONAddress.isAbsolute(text) || !key.isEmpty)
  }

  /// Whether an object is one entry: it names a picture, or has an id or a title.
  ///
  /// The document itself must look like a post: it has an id, a date and a page, but no list.
  private mutating func isEntry(
    _ object: JSONValue,
    _ fields: JSONFields,
    isDocument: Bool
  ) -> Bool {
    if entryReader.namesPicture(fields) { return true }
    guard isDocument else { return fields[.id] != nil || fields[.title] != nil }
    guard fields[.id] != nil, fields[.date] != nil, fields[.page] != nil else { return false }
    return !object.members.contains { member in
      Self.isListName(member.key) && member.value.elements.contains { !$0.members.isEmpty }
    }
  }

  /// Whether an object contains a list whose elements have a title, date or author.
  ///
  /// The pictures of an album have these, but the pictures of one entry do not.
  private mutating func holdsEntries(_ object: JSONValue, depth: Int) -> Bool {
    guard depth < Self.listDepth else { return false }
    for member in object.members where !member.value.isScalar {
      if entryReader.name(member.key).role?.kind == .foreign { continue }
      let elements = member.value.elements
      if elements.count > 1, elements.contains(where: { entryReader.isDescribed($0) }) {
        return true
      }
      if holdsEntries(member.value, depth: depth + 1) { return true }
    }
    return false
  }
}

/// Records where addresses occur, to explain the images of entries.
extension JSONListWalker {
  /// The entries in an object, with the members that contain addresses, if an explanation is wanted.
  ///
  /// Each entry gets its own members, and the first one also those that belong to no entry. An
  /// object whose pictures are separate entries has no pictures itself, and is dropped.
  private mutating func explained(_ entries: [Entry], by object: JSONValue) -> [Entry] {
    if !isExplained { return entries }
    var entries = entries
    if entries.count > 1, !entries[0].namesPictures { entries.removeFirst() }
    let chosen = Set(entries.flatMap(\.references))
    var members: [EntryMember] = []
    note(object, path: "", isForeign: false, chosen: chosen, in: &members)
    for index in entries.indices.reversed() {
      let own = Set(entries[index].references)
      entries[index].members = index == 0 ? members : members.filter { own.contains($0.text) }
      members.removeAll { own.contains($0.text) }
    }
    return entries
  }

  private mutating func note(
    _ value: JSONValue,
    path: String,
    isForeign: Bool,
    chosen: Set<String>,
    in members: inout [EntryMember]
  ) {
    guard members.count < FormatLimits.explainedMembers else { return }
    if let text = value.string {
      let isAddress =
        chosen.contains(text) || JSONAddress.isAbsolute(text) || JSONAddress.looksLikeImage(text)
      guard isAddress, JSONAddress.isAddress(text) else { return }
      members.append(EntryMember(path: path, text: text, isForeign: isForeign))
    }
    for element in value.elements {
      note(element, path: path + "[]", isForeign: isForeign, chosen: chosen, in: &members)
    }
    for member in value.members {
      let kind = entryReader.name(member.key).role?.kind
      let isOther = isForeign || kind == .foreign || kind == .holder || kind == .author
      let inner = path.isEmpty ? member.key : path + "." + member.key
      note(member.value, path: inner, isForeign: isOther, chosen: chosen, in: &members)
    }
  }
}

extension Entry {
  /// The addresses of the entry's pictures, as written.
  fileprivate var references: [String] {
    (units.flatMap { $0.renditions + $0.thumbnails } + thumbnails).map(\.reference)
  }
}
