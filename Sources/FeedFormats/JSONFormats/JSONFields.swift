import FoundationEssentials

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

  /// The member that means this best; nil if it is missing.
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

/// Reads texts in the shapes JSON lists wrap them in.
enum JSONWords {
  /// A text as plain text, also from `{"rendered": "…"}` and the like.
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

  /// A person's or licence's name, also from an object or a list of them; a number is an id.
  static func name(_ value: JSONValue?) -> String? {
    let value = value?.elements.first ?? value
    if let value, case .number = value { return nil }
    return unwrapped(value, keys: nameKeys)
      .flatMap { PlainText.line(of: $0, limit: FormatLimits.title) }
  }

  /// A date as text or as seconds since 1970.
  static func date(_ value: JSONValue?) -> Date? {
    guard let text = unwrapped(value, keys: ["value"]) else { return nil }
    let isNumber = text.utf8.count >= 9 && text.utf8.allSatisfy { $0.isDigit || $0 == 0x2E }
    return isNumber ? Double(text).flatMap { FeedDate.read(number: $0) } : FeedDate.read(text)
  }

  /// A web page's address.
  static func address(_ value: JSONValue?) -> String? {
    unwrapped(value, keys: ["html", "href", "url"]).flatMap {
      JSONAddress.isAddress($0) ? $0 : nil
    }
  }

  private static func unwrapped(_ value: JSONValue?, keys: [String]) -> String? {
    if let text = value?.scalar { return text }
    for key in keys {
      if let text = value?[key]?.scalar { return text }
    }
    return nil
  }
}
