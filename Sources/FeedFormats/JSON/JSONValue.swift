/// A value of JSON, with its members in the document's order and its numbers as written: an id
/// may have more digits than a floating-point number keeps.
enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The value of a member; nil when this is no object or has none of that name.
  subscript(_ key: String) -> JSONValue? {
    members.first { $0.key == key }?.value
  }

  /// The members of an object; none for anything else.
  var members: [JSONMember] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  /// The elements of an array; none for anything else.
  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// A string that is not empty.
  var string: String? {
    guard case .string(let text) = self, !text.isEmpty else { return nil }
    return text
  }

  /// A string or number, as text.
  var scalar: String? {
    if case .number(let digits) = self { return digits }
    return string
  }

  /// The digits before the point of a number, or of a string that is one.
  var integer: Int? { scalar.flatMap { DeclaredNumber.read($0) } }
}
