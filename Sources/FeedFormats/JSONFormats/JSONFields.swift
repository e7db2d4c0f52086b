import FoundationEssentials

/// The members of one object of a JSON list, sorted by purpose.
///
/// A member's name suggests its purpose, and its value decides. An address with an image extension
/// is a picture under any name. A bare file name ranks after every address.
struct JSONFields {
  /// A member that may name pictures.
  struct Source {
    let name: JSONName
    let value: JSONValue
    /// The rank, by the member's value and then by its name; a lower rank is better.
    var order = 0
  }

  private static let kindCount = JSONRole.Kind.allCases.count

  private var facts = [(rank: Int, value: JSONValue)?](repeating: nil, count: Self.kindCount)
  private(set) var originals: [Source] = []
  private(set) var thumbnails: [Source] = []
  /// Members whose names are sizes of one picture.
  private(set) var sizes: [Source] = []
  /// Objects that contain the entry's picture in small sizes.
  private(set) var previews: [JSONValue] = []
  private(set) var further: [Source] = []
  /// The sizes of the pictures in other members: `previewWidth`, `width_l`.
  private(set) var measures: [Source] = []
  private var address: Source?
  /// Members that may contain pictures, the most likely first.
  private(set) var nested: [Source] = []

  init(of object: JSONValue, names: inout JSONNames) {
    var others: [Source] = []
    var said: [JSONMember] = []
    for member in object.members where !Self.isEmpty(member.value) {
      let name = names[member.key]
      for shape in name.shapes where shape.isShape(of: member.value) {
        said += shape.members(of: object)
      }
      take(Source(name: name, value: Self.sized(member.value)), &others, &names)
    }
    for member in said {
      let source = Source(name: names[member.key], value: member.value, order: -1)
      take(source, &others, &names)
    }
    takeAddress()
    sort(&originals)
    sort(&thumbnails)
    nested.sort { $0.order < $1.order }
    nested += others
  }

  /// A picture as an object if it is an address with its size: `["a.jpg", [1600, 1066]]`, as fgallery writes it, or
  /// `["a.jpg", 1600, 1066]`.
  ///
  /// Numbers below 16 are rather counts, such as those of a page's readers.
  private static func sized(_ value: JSONValue) -> JSONValue {
    guard case .array(let elements) = value, elements.count == 2 || elements.count == 3,
      let text = elements[0].string, JSONAddress.isAddress(text)
    else { return value }
    let size = elements.count == 2 ? elements[1].elements : Array(elements[1...])
    guard size.count == 2, size.allSatisfy({ $0.integer ?? 0 >= 16 }) else { return value }
    let members = zip(["url", "width", "height"], [elements[0]] + size)
    return .object(members.map { JSONMember(key: $0, value: $1) })
  }

  /// The best member for a purpose; nil if it is missing.
  subscript(_ kind: JSONRole.Kind) -> JSONValue? { facts[kind.rawValue]?.value }

  private mutating func take(_ source: Source, _ others: inout [Source], _ names: inout JSONNames) {
    let isScalar = source.value.isScalar
    if Self.isSize(source) { sizes.append(source) }
    if source.name.isMeasure { measures.append(source) }
    switch source.name.role?.kind {
    case .original?: take(original: source)
    case .thumbnail?:
      thumbnails.append(source.ordered(source.rank))
      if !isScalar { others.append(source) }
    case .pictures? where isScalar: thumbnails.append(source.ordered(source.rank))
    case .pictures?:
      nested.append(source.ordered(source.rank))
      if source.name.plain == "preview" { previews.append(source.value) }
    case .furtherPictures?: further.append(source)
    case .words?:
      takeWords(of: source.value, names: &names)
      others.append(source)
    case .foreign?, .holder?: break
    case let kind?:
      take(fact: source.value, rank: source.rank, kind: kind)
      if kind == .address { address = address ?? source }
      if !isScalar, kind != .author { others.append(source) }
    case nil:
      if !isScalar {
        others.append(source)
      } else if let text = source.value.string, JSONAddress.looksLikeImage(text) {
        originals.append(source.ordered(Self.rankByValue))
      }
    }
  }

  private mutating func take(original: Source) {
    let rank = original.rank
    guard let text = original.value.string else {
      nested.append(original.ordered(rank + JSONRole.rankByWords))
      if case .object = original.value { originals.append(original.ordered(rank)) }
      return
    }
    guard JSONAddress.isAddress(text), !JSONAddress.isOtherMedium(text) else { return }
    originals.append(original.ordered(rank + Self.weakness(of: text, under: original.name)))
  }

  /// The rank of a member with an unknown name, which counts only if its value is the address of an image.
  private static let rankByValue = 1000
  private static let rankOfAddress = 900
  private static let weakRank = 10_000

  /// Takes the member `url`, which is the picture in some lists and the web page in others.
  ///
  /// It counts as the picture if it looks like one, or if the object's type is that of an image.
  private mutating func takeAddress() {
    guard let address, let text = address.value.string, JSONAddress.isAddress(text) else { return }
    let isTyped = self[.type]?.string?.lowercased().hasPrefix("image/") ?? false
    guard isTyped || ImageTest.hasImageExtension(text) else { return }
    originals.append(address.ordered(Self.rankOfAddress))
  }

  /// Whether a member may be one of the sizes of a picture, keyed by size.
  private static func isSize(_ source: Source) -> Bool {
    guard source.name.size != nil else { return false }
    if case .object = source.value { return true }
    guard let text = source.value.string, JSONAddress.isAddress(text) else { return false }
    if ImageTest.hasImageExtension(text) { return true }
    switch source.name.role?.kind {
    case .original?: return !JSONRole.weak.contains(source.name.plain)
    case .thumbnail?, .pictures?: return true
    default: return false
    }
  }

  /// The penalty for a weak value, which outweighs the rank of the name.
  private static func weakness(of text: String, under name: JSONName) -> Int {
    if JSONAddress.isBareName(text) { return 2 * weakRank }
    let isWeak = JSONRole.weak.contains(name.plain) || name.role?.isKnown == false
    return isWeak && !ImageTest.hasImageExtension(text) ? weakRank : 0
  }

  private func sort(_ sources: inout [Source]) {
    sources.sort { $0.order < $1.order }
    sources = Array(sources.prefix(FormatLimits.sizes))
  }

  private static let wordKinds: Set<JSONRole.Kind> = [.title, .caption, .author, .licence, .date]

  /// Takes the words from an object of words, unless another member has better ones.
  private mutating func takeWords(of object: JSONValue, names: inout JSONNames) {
    for member in object.members where !Self.isEmpty(member.value) {
      guard let role = names[member.key].role, Self.wordKinds.contains(role.kind) else { continue }
      take(fact: member.value, rank: role.rank, kind: role.kind)
    }
  }

  private static func isEmpty(_ value: JSONValue) -> Bool {
    value == .null || value == .string("") || value == .array([])
  }

  private mutating func take(fact: JSONValue, rank: Int, kind: JSONRole.Kind) {
    let known = facts[kind.rawValue]
    if rank < known?.rank ?? .max { facts[kind.rawValue] = (rank, fact) }
    if kind == .address { take(fact: fact, rank: rank + 100, kind: .page) }
  }
}

extension JSONFields.Source {
  /// The rank of the member's name; 0 for a name without a role.
  fileprivate var rank: Int { name.role?.rank ?? 0 }

  /// Whether this is the size of a source's picture: `previewWidth` for `previewURL`, `width_l` for `url_l`.
  func measures(_ source: Self) -> Bool {
    let rest = name.plain.replacing("width", with: "").replacing("height", with: "")
    guard !rest.isEmpty else { return false }
    let stem = source.name.plain.replacing("url", with: "")
    return rest == stem
  }

  /// The source with a rank; a source from a service's own rule keeps the first rank.
  fileprivate func ordered(_ order: Int) -> Self {
    var source = self
    if self.order == 0 { source.order = order }
    return source
  }
}

extension JSONValue {
  /// Whether the value is neither an array nor an object.
  var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}

/// Reads the words of an entry from an object of a JSON list.
extension Entry {
  /// Takes missing facts from the object's members.
  mutating func fill(from fields: JSONFields) {
    id.fill(fields[.id]?.scalar)
    title.fill(JSONWords.text(fields[.title], limit: FormatLimits.title))
    let caption = JSONWords.text(fields[.caption], limit: FormatLimits.caption)
    summary.fill(caption.flatMap { JSONAddress.isAbsolute($0) ? nil : $0 })
    author.fill(JSONWords.name(fields[.author]).map(PersonName.inMailAddress))
    licence.fill(JSONWords.name(fields[.licence]))
    if published == nil, let text = JSONWords.date(fields[.date]) { published = date(text) }
    link.fill(JSONWords.address(fields[.page]))
  }
}

/// Reads texts in the wrappers that JSON lists use.
enum JSONWords {
  /// A text as plain text; it may be in a wrapper such as `{"rendered": "…"}`.
  static func text(_ value: JSONValue?, limit: Int) -> String? {
    unwrapped(
      value?.elements.first ?? value,
      keys: ["rendered", "_content", "value", "en", "title"]
    )
    .flatMap { PlainText.line(of: $0, limit: limit) }
  }

  private static let nameKeys = [
    "name", "display_name", "full_name", "creator", "title", "username", "copyright", "value",
    "url",
  ]

  /// The name of a person or licence; it may be in an object or a list.
  ///
  /// A number is an id and not a name.
  static func name(_ value: JSONValue?) -> String? {
    let value = value?.elements.first ?? value
    if let value, case .number = value { return nil }
    return unwrapped(value, keys: nameKeys)
      .flatMap { PlainText.line(of: $0, limit: FormatLimits.title) }
  }

  /// The text of a date; it may be in a list of one.
  static func date(_ value: JSONValue?) -> String? {
    unwrapped(value?.elements.first ?? value, keys: ["value"])
  }

  /// A web page's address.
  static func address(_ value: JSONValue?) -> String? {
    unwrapped(value?.elements.first ?? value, keys: ["html", "href", "url"]).flatMap {
      JSONAddress.isAddress($0) ? $0 : nil
    }
  }

  private static func unwrapped(_ value: JSONValue?, keys: [String]) -> String? {
    value?.scalar ?? keys.lazy.compactMap { value?[$0]?.scalar }.first
  }
}
