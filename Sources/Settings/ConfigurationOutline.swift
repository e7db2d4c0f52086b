/// The statements of a TOML document, found in one pass before the TOML reader sees it (toml.io/en/v1.0.0).
///
/// The reader has no bounds: deep nesting overflows its stack, and its time grows with the square of the number of
/// names. So this bounds both. Where a document is not valid, the reader stops; until there, both find the same.
struct ConfigurationOutline {
  /// A table's header, or a key with its value.
  struct Statement: Equatable {
    /// The line on which it begins.
    var line: Int
    /// The offset behind its last byte.
    var end: Int
  }

  /// The most names of keys and tables, more than hundreds of feeds need.
  static let mostNames = 1_000
  /// The most levels of brackets and dots in a place; settings have two.
  static let deepest = 8

  private(set) var statements: [Statement] = []
  private var index = 0
  private var line = 1
  /// The line of the statement that has begun; nil between statements.
  private var beginning: Int?
  private var names = 0
  /// The open brackets, and the dots since the last name or value began.
  private var (brackets, dots) = (0, 0)

  /// - Throws: The mistake of a text with too many names, or with names that nest too deeply.
  init(_ text: String) throws(ConfigurationMistake) {
    let bytes = Array(text.utf8)
    while index < bytes.count { try read(bytes) }
    end()
  }

  private mutating func read(_ bytes: [UInt8]) throws(ConfigurationMistake) {
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: "\n"): endLine()
    case UInt8(ascii: "#"): skipComment(bytes)
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      begin()
      skipText(bytes, closedBy: byte)
    default:
      try count(byte)
      begin()
      index += 1
    }
  }

  /// Counts a byte that adds a name, or that nests one.
  private mutating func count(_ byte: UInt8) throws(ConfigurationMistake) {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      if beginning == nil { names += 1 }
      (brackets, dots) = (brackets + 1, 0)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): brackets = max(0, brackets - 1)
    case UInt8(ascii: "="): (names, dots) = (names + 1, 0)
    case UInt8(ascii: ","): dots = 0
    case UInt8(ascii: "."): dots += 1
    default: return
    }
    if names > Self.mostNames { throw mistake("there are more than \(Self.mostNames) names") }
    if brackets + dots > Self.deepest {
      throw mistake("it nests more than \(Self.deepest) levels deep")
    }
  }

  private func mistake(_ message: String) -> ConfigurationMistake {
    ConfigurationMistake(line: line, message: message)
  }

  // MARK: Statements

  private mutating func begin() { beginning = beginning ?? line }

  private mutating func endLine() {
    index += 1
    dots = 0
    if brackets == 0 { end() }
    line += 1
  }

  private mutating func end() {
    if let beginning { statements.append(Statement(line: beginning, end: index)) }
    beginning = nil
  }

  // MARK: Texts and comments

  private mutating func skipComment(_ bytes: [UInt8]) {
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
  }

  /// Skips a text; one in single quotes has no escapes.
  private mutating func skipText(_ bytes: [UInt8], closedBy quote: UInt8) {
    let isLong = bytes[index...].starts(with: [quote, quote, quote])
    index += isLong ? 3 : 1
    while index < bytes.count {
      let byte = bytes[index]
      // A text on one line ends with the line, which is a mistake that the reader names.
      if byte == UInt8(ascii: "\n"), !isLong { return }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 1
        if index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if byte == quote, !isLong || bytes[index...].starts(with: [quote, quote, quote]) {
        return skipEnd(bytes, quote, isLong: isLong)
      } else {
        if byte == UInt8(ascii: "\n") { line += 1 }
        index += 1
      }
    }
  }

  /// Skips the end of a text; a long one may itself end with two quotes.
  private mutating func skipEnd(_ bytes: [UInt8], _ quote: UInt8, isLong: Bool) {
    index += isLong ? 3 : 1
    guard isLong else { return }
    for _ in 0..<2 where index < bytes.count && bytes[index] == quote { index += 1 }
  }
}
