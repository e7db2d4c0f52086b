/// Reads entries from the objects of a JSON list.
struct JSONEntryReader {
  private var pictures = JSONPictures()

  mutating func fields(of object: JSONValue) -> JSONFields {
    JSONFields(of: object, names: &pictures.names)
  }

  mutating func name(_ key: String) -> JSONName { pictures.names[key] }

  mutating func namesPicture(_ fields: JSONFields) -> Bool {
    pictures.picture(of: fields) != nil
  }

  /// Whether an element of a list has pictures, and a title, date or author of an entry.
  mutating func isDescribed(_ element: JSONValue) -> Bool {
    guard !element.members.isEmpty else { return false }
    let fields = fields(of: element)
    var entry = Entry()
    entry.fill(from: fields)
    return read(fields, as: entry).contains { entry in
      entry.namesPictures && (entry.title != nil || entry.published != nil || entry.author != nil)
    }
  }

  /// The entry with only the picture that its object's own members name.
  mutating func own(_ fields: JSONFields, as entry: Entry) -> [Entry] {
    guard let unit = pictures.picture(of: fields) else { return [] }
    var entry = entry
    entry.add(unit)
    return [entry]
  }

  /// The entries in an object: the object's own entry, and those of nested pictures with an id or title.
  mutating func read(_ fields: JSONFields, as entry: Entry) -> [Entry] {
    var entries = [entry]
    _ = read(fields, into: &entries, at: 0)
    return entries
  }

  /// Reads an object into the entry at `index`; false when it contains no pictures.
  private mutating func read(
    _ fields: JSONFields,
    into entries: inout [Entry],
    at index: Int
  ) -> Bool {
    if let unit = pictures.picture(of: fields) {
      if readList(of: unit, in: fields, into: &entries, at: index) { return true }
      if entries[index].title == nil, readTwin(of: unit, in: fields, into: &entries[index]) {
        return true
      }
      entries[index].add(unit)
      for source in fields.further { _ = readNested(source, into: &entries, at: index) }
      return true
    }
    if let unit = sizes(in: fields) {
      entries[index].add(unit)
      fillFromWrappings(in: fields, &entries[index])
      return true
    }
    for source in fields.nested where readNested(source, into: &entries, at: index) {
      if entries[index].thumbnails.isEmpty {
        entries[index].thumbnails = pictures.thumbnails(of: fields)
      }
      return true
    }
    if let unit = pictures.unlikelyPicture(of: fields) {
      entries[index].add(unit)
      return true
    }
    let room = FormatLimits.picturesPerEntry - entries[index].thumbnails.count
    entries[index].thumbnails += pictures.thumbnails(of: fields).prefix(room)
    return !entries[index].thumbnails.isEmpty
  }

  /// The picture whose sizes a member lists.
  private mutating func sizes(in fields: JSONFields) -> MediaUnit? {
    for source in fields.nested {
      guard let sizes = pictures.renditions(in: source.value) else { continue }
      if let unit = JSONPictures.picture(in: sizes) { return unit }
    }
    return nil
  }

  /// Takes the words from nested objects that only wrap facts of the entry.
  private mutating func fillFromWrappings(in fields: JSONFields, _ entry: inout Entry) {
    for source in fields.nested where source.name.role?.kind == .pictures {
      let object = source.value.elements.count == 1 ? source.value.elements[0] : source.value
      entry.fill(from: self.fields(of: object))
    }
  }

  /// Reads the list of the entry's pictures, if it includes the object's own picture, or if that
  /// picture is a cover.
  private mutating func readList(
    of unit: MediaUnit,
    in fields: JSONFields,
    into entries: inout [Entry],
    at index: Int
  ) -> Bool {
    let isCover = fields.originals.first?.name.plain.contains("cover") ?? false
    let address = unit.renditions.first?.reference
    for source in fields.nested where source.isList {
      var listed = [entries[index]]
      guard readNested(source, into: &listed, at: 0) else { continue }
      let units = listed.flatMap(\.units)
      let isSame = units.contains { $0.renditions.first?.reference == address }
      guard isSame || isCover && units.count > 1 else { continue }
      entries[index] = listed.removeFirst()
      entries += listed
      return true
    }
    return false
  }

  /// Reads a nested object that names the same picture as this object, and has its title.
  private mutating func readTwin(
    of unit: MediaUnit,
    in fields: JSONFields,
    into entry: inout Entry
  ) -> Bool {
    guard let original = unit.renditions.first else { return false }
    for source in fields.nested where source.name.role == nil && !source.value.members.isEmpty {
      var twin = [entry]
      guard readNested(source, into: &twin, at: 0), twin.count == 1, twin[0].title != nil,
        let found = twin[0].units.first?.renditions.first, found.reference == original.reference
      else { continue }
      entry = twin[0]
      if !found.isSized { entry.units[0].renditions[0] = original }
      return true
    }
    return false
  }

  private mutating func readNested(
    _ source: JSONFields.Source,
    into entries: inout [Entry],
    at index: Int
  ) -> Bool {
    if source.isKeyed {
      return readElements(source.value.members.map(\.value), of: source, into: &entries, at: index)
    }
    switch source.value {
    case .object: return readObject(source.value, of: source, into: &entries, at: index)
    case .array(let elements): return readElements(elements, of: source, into: &entries, at: index)
    default: return false
    }
  }

  /// Reads an object inside an entry.
  ///
  /// Its words count if it contains the pictures, or if it is only a wrapper.
  private mutating func readObject(
    _ object: JSONValue,
    of source: JSONFields.Source,
    into entries: inout [Entry],
    at index: Int
  ) -> Bool {
    let fields = fields(of: object)
    let isWrapping = source.name.role?.kind == .pictures
    let known = entries[index]
    if !isWrapping { entries[index] = known.titled }
    entries[index].fill(from: fields)
    if read(fields, into: &entries, at: index) { return true }
    if !isWrapping { entries[index] = known }
    return false
  }

  /// Reads an array inside an entry.
  ///
  /// If any of several pictures has an id or a title, each picture becomes a separate entry. Such
  /// an entry takes missing facts from the outer entry.
  private mutating func readElements(
    _ elements: [JSONValue],
    of source: JSONFields.Source,
    into entries: inout [Entry],
    at index: Int
  ) -> Bool {
    if elements.count == 1, !elements[0].isScalar {
      let only = JSONFields.Source(name: source.name, value: elements[0])
      return readNested(only, into: &entries, at: index)
    }
    let found = elements.map { readElement($0, of: source) }
    let areEntries = found.contains { $0.first.map { $0.id != nil || $0.title != nil } ?? false }
    // An entry with a title and no caption has pictures with captions of their own.
    let areCaptioned = entries[index].title != nil && entries[index].summary == nil
    for var own in found where !own.isEmpty {
      if !areEntries { entries[index].take(own.removeFirst(), areCaptioned: areCaptioned) }
      let outer = entries[index]
      for position in own.indices {
        own[position].fill(from: own[position].summary == nil ? outer.titled : outer)
      }
      entries += own
    }
    return found.contains { !$0.isEmpty }
  }

  /// The entries in an element of an array inside an entry.
  private mutating func readElement(
    _ element: JSONValue,
    of source: JSONFields.Source
  ) -> [Entry] {
    var own = [Entry()]
    if let text = element.string {
      guard source.listsPicture(text) else { return [] }
      own[0].units = [JSONPictures.picture(at: text)]
      return own
    }
    guard case .object = element else { return [] }
    let fields = fields(of: element)
    own[0].fill(from: fields)
    return read(fields, into: &own, at: 0) ? own : []
  }
}

extension JSONFields.Source {
  /// Whether this is a list of an entry's pictures, by its name and structure.
  fileprivate var isList: Bool {
    guard name.role?.kind == .pictures || name.role?.kind == .original else { return false }
    return !value.elements.isEmpty || isKeyed
  }

  /// Whether this is an object of pictures, with their ids as keys.
  fileprivate var isKeyed: Bool {
    guard name.role?.kind == .pictures, let first = value.members.first else { return false }
    return !first.key.isEmpty && first.key.utf8.allSatisfy(\.isDigit) && !first.value.isScalar
  }

  /// Whether a string in this list is a picture, by its extension or by the list's name.
  fileprivate func listsPicture(_ text: String) -> Bool {
    guard JSONAddress.isAddress(text), !JSONAddress.isOtherMedium(text) else { return false }
    switch name.role?.kind {
    case .original?, .pictures?, .furtherPictures?, .thumbnail?: return true
    default: return ImageTest.hasImageExtension(text)
    }
  }
}

extension Entry {
  /// Whether the entry names a picture from which to make an image.
  var namesPictures: Bool { !units.isEmpty || !thumbnails.isEmpty }

  /// Adds a picture, up to the limit; if its address was read as the web page, removes the page.
  fileprivate mutating func add(_ unit: MediaUnit) {
    if units.count < FormatLimits.picturesPerEntry { units.append(unit) }
    let isPicture = (unit.renditions + unit.thumbnails).contains { $0.reference == link }
    if isPicture { link = nil }
  }

  /// Adds the pictures of a part without an id or title, and takes missing words from it.
  ///
  /// The caption of the part is either its pictures' own, or the caption of the whole entry.
  fileprivate mutating func take(_ part: Entry, areCaptioned: Bool) {
    for var unit in part.units {
      if areCaptioned { unit.words.caption.fill(part.summary) }
      add(unit)
    }
    let room = FormatLimits.picturesPerEntry - thumbnails.count
    thumbnails += part.thumbnails.prefix(room)
    if !areCaptioned || part.units.isEmpty { summary.fill(part.summary) }
    fill(from: part)
  }

  /// The entry, with a short description as its title if it has no title.
  var titled: Entry {
    guard title == nil, let summary, summary.utf8.count <= FormatLimits.titleFromCaption else {
      return self
    }
    var titled = self
    titled.title = summary
    titled.summary = nil
    return titled
  }

  /// Takes missing facts from another entry.
  fileprivate mutating func fill(from other: Entry) {
    title.fill(other.title)
    author.fill(other.author)
    licence.fill(other.licence)
    published.fill(other.published)
    link.fill(other.link)
  }
}
