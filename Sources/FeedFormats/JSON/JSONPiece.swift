/// A part of a JSON document that is decoded by itself.
struct JSONPiece {
  /// How the part stands in the document.
  enum Place: Equatable {
    /// It is the document.
    case whole
    /// It is an element of an array.
    case element
    /// It is an array without elements.
    case emptyArray
    /// It is a member of an object that is read member by member.
    case member
    /// It is the begin of an element that is read member by member.
    case opening
  }

  let place: Place
  /// The member's key, or the key the array is a member by; empty at the top.
  let key: String
  /// How many objects and arrays are open around it.
  let depth: Int
  /// nil when the part is not valid JSON.
  let value: JSONValue?
  /// How many bytes the part takes.
  var length = 0
}
