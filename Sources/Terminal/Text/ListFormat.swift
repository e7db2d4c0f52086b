import Scenes

/// What a line of a list says of an image: a user's pattern, such as `{id}\t{title}`.
///
/// `{{` and `}}` stand for braces, `\t`, `\n`, `\0` and `\\` for what they mean in C.
package struct ListFormat: Equatable, Sendable {
  /// The names that a pattern may use: those of the members in JSON, as `feed.title`.
  package static var fieldNames: [String] {
    var fields = ImageFields(wanted: [])
    ImageRecord.blank.write(to: &fields)
    return fields.names
  }

  /// Why a pattern means nothing.
  package enum Problem: Error, Equatable {
    case unknownField(String)
    case loneBrace
  }

  private enum Piece: Equatable, Sendable {
    case text(String)
    /// A member, by its place among all.
    case field(Int)
  }

  private var pieces: [Piece] = []
  private var wanted: Set<Int> = []

  package init(_ pattern: String) throws(Problem) {
    var text = ""
    var rest = Substring(pattern)
    let names = Self.fieldNames
    while let character = rest.popFirst() {
      switch (character, rest.first) {
      case ("{", "{"), ("}", "}"):
        text.append(character)
        rest.removeFirst()
      case ("{", _):
        let field = try Self.field(in: &rest, names)
        pieces += [.text(text), .field(field)]
        wanted.insert(field)
        text = ""
      case ("}", _): throw .loneBrace
      case ("\\", let next?):
        text += Self.escapes[next] ?? "\\\(next)"
        rest.removeFirst()
      default: text.append(character)
      }
    }
    pieces.append(.text(text + "\n"))
  }

  private static let escapes: [Character: String] = ["t": "\t", "n": "\n", "0": "\0", "\\": "\\"]

  private static func field(
    in rest: inout Substring,
    _ names: [String]
  ) throws(Problem) -> Int {
    guard let end = rest.firstIndex(of: "}") else { throw .loneBrace }
    let name = String(rest[..<end])
    guard let field = names.firstIndex(of: name) else { throw .unknownField(name) }
    rest = rest[end...].dropFirst()
    return field
  }

  /// The line of a record with its end; what comes from strangers is made harmless.
  func line(_ record: ImageRecord) -> String {
    var fields = ImageFields(wanted: wanted)
    record.write(to: &fields)
    var line = ""
    for piece in pieces {
      switch piece {
      case .text(let text): line += text
      case .field(let field): line += HarmlessText.line(fields.values[field] ?? "")
      }
    }
    return line
  }
}

/// The members of a record as texts: those that are wanted, by their places, or the names of all.
private struct ImageFields: ImageMemberWriting {
  private let wanted: Set<Int>
  private(set) var names: [String] = []
  private(set) var values: [Int: String] = [:]
  private var count = 0
  private var parent = ""

  /// Takes the places of the members that are wanted; with none it gathers names.
  init(wanted: Set<Int>) { self.wanted = wanted }

  mutating func member(_ name: StaticString, _ value: String?) { note(name, value) }

  mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
    note(name, value.map { String($0) })
  }

  mutating func member(_ name: StaticString, _ value: Bool) { note(name, String(value)) }

  mutating func member(_ name: StaticString, _ members: (inout ImageFields) -> Void) {
    parent = "\(name)."
    members(&self)
    parent = ""
  }

  mutating func member(_ name: StaticString, _ failures: [FailureRecord]) {
    note(name, failures.map { "\($0.picture): \($0.reason)" }.joined(separator: "; "))
  }

  private mutating func note(_ name: StaticString, _ value: @autoclosure () -> String?) {
    if wanted.isEmpty { names.append("\(parent)\(name)") }
    if wanted.contains(count) { values[count] = value() }
    count += 1
  }
}
