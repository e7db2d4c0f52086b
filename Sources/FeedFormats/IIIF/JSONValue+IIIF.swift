/// How resources of IIIF Presentation are written: version 2 as JSON-LD with `@id` and prefixed
/// types, version 3 without, and both with one value or several.
extension JSONValue {
  /// The resource's id; of one that is only named, the name.
  var iiifID: String? { string ?? self["id"]?.string ?? self["@id"]?.string }

  /// The resource's type without its prefix; empty when it says none.
  var iiifType: Substring {
    let type = self["type"] ?? self["@type"] ?? .null
    let text = type.string ?? type.elements.first?.string ?? ""
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return text[...] }
    return text[text.utf8.index(after: colon)...]
  }

  /// The value as a list: several values, one, or none.
  var listed: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .null: []
    default: [self]
    }
  }

  /// The values of a member; none when there is no such member.
  func list(_ key: String) -> [JSONValue] { self[key]?.listed ?? [] }
}
