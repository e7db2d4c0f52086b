import Scenes

/// The user's pattern for an image in a list, such as `{id}\t{title}`.
///
/// `{{` and `}}` mean single braces; `\t`, `\n`, `\0` and `\\` have the same meaning as in C. A line that ends with
/// `\0` has no line end.
package struct ListFormat: Equatable, Sendable {
  /// The names that a pattern may use: those of the members in JSON, such as `feed.title`.
  package static var fieldNames: [String] {
    var fields = ImageFields(wanted: [])
    ImageRecord.blank.write(to: &fields)
    return fields.names
  }

  /// Whether a name is one that people give to the address of the original, which no list has.
  package static func isOriginalAddress(_ name: String) -> Bool {
    ["url", "address", "link", "src", "originalurl", "originaladdress", "originallink"]
      .contains(plain(name))
  }

  /// The names of the fields that another name means; none if it has no such meaning.
  package static func synonyms(of name: String) -> [String] {
    switch plain(name) {
    case "feedurl", "feedaddress", "feedlink": ["feedURL"]
    case "page", "pageaddress", "pagelink": ["pageURL"]
    case "width": ["original.width", "thumbnail.width"]
    case "height": ["original.height", "thumbnail.height"]
    case "size", "bytes", "filesize", "originalsize":
      ["original.bytes", "original.width", "original.height"]
    case "dimensions", "pixels", "resolution": ["original.width", "original.height"]
    case "type", "format", "mime": ["original.type", "thumbnail.type"]
    case "hash", "sha256", "checksum": ["original.sha256", "thumbnail.sha256"]
    case "file", "path", "filename": ["original.file"]
    case "date": ["published", "taken"]
    default: []
    }
  }

  /// A name without case, and without the signs between its words.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The reason why a pattern is not valid.
  package enum Problem: Error, Equatable {
    case unknownField(String)
    case loneBrace
  }

  private enum Piece: Equatable, Sendable {
    case text(String)
    /// A member, by its index among all members.
    case field(Int)
  }

  private var pieces: [Piece] = []
  private var wanted: Set<Int> = []

  /// Whether it has members that the list has only on request.
  package var hasFacts: Bool {
    let names = Self.fieldNames
    let first = names.firstIndex(of: ImageRecord.firstFact) ?? names.count
    return wanted.contains { $0 >= first }
  }

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
    // A line that ends with NUL is for 'xargs -0', which would take a line end for the beginning of the next word.
    pieces.append(.text(text.hasSuffix("\0") ? text : text + "\n"))
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

  /// The line of a record with its line end, made harmless for a terminal.
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

/// The values of some members of a record as texts, by their indices, or the names of all members.
private struct ImageFields: ImageMemberWriting {
  private let wanted: Set<Int>
  private(set) var names: [String] = []
  private(set) var values: [Int: String] = [:]
  private var count = 0
  private var parent = ""

  /// Takes the indices of the members to collect; without indices, it collects the names of all members.
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

  mutating func member(_ name: StaticString, _ failures: [Record]) {
    note(
      name,
      failures.map { "\($0.text("picture")): \($0.text("reason"))" }.joined(separator: "; ")
    )
  }

  private mutating func note(_ name: StaticString, _ value: @autoclosure () -> String?) {
    if wanted.isEmpty { names.append("\(parent)\(name)") }
    if wanted.contains(count) { values[count] = value() }
    count += 1
  }
}
