/// One JSON object on one line (RFC 8259), written value by value in the order of its members.
///
/// Unknown values are null rather than left out, so that every object of a kind has the same
/// members. Beyond what the RFC asks for, C1 and bidirectional controls are escaped: a terminal
/// that shows the line is safe.
struct JSONLine {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// The line with its end.
  static func object(_ members: (inout JSONLine) -> Void) -> [UInt8] {
    var line = JSONLine()
    line.bytes.reserveCapacity(256)
    line.nest(members)
    line.bytes.append(UInt8(ascii: "\n"))
    return line.bytes
  }

  mutating func member(_ name: StaticString, _ value: String?) {
    begin(name)
    if let value { append(string: value) } else { append("null") }
  }

  mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
    begin(name)
    append(value.map { String($0) } ?? "null")
  }

  mutating func member(_ name: StaticString, _ value: Double) {
    begin(name)
    append(value.isFinite ? "\(value)" : "null")
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    begin(name)
    append(value ? "true" : "false")
  }

  mutating func member(_ name: StaticString, _ members: (inout JSONLine) -> Void) {
    begin(name)
    nest(members)
  }

  mutating func member(_ name: StaticString, numbers: [some BinaryInteger]) {
    begin(name)
    append("[" + numbers.map { String($0) }.joined(separator: ",") + "]")
  }

  mutating func member<Element>(
    _ name: StaticString,
    objects elements: [Element],
    _ members: (Element, inout JSONLine) -> Void
  ) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      nest { members(element, &$0) }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func nest(_ members: (inout JSONLine) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    members(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  private mutating func begin(_ name: StaticString) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    append("\"\(name)\":")
  }

  private mutating func append(_ text: String) { bytes += text.utf8 }

  private mutating func append(string: String) {
    bytes.append(UInt8(ascii: "\""))
    if string.utf8.allSatisfy(Self.isPlain) {
      bytes += string.utf8
    } else {
      for scalar in string.unicodeScalars { append(scalar) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    case _ where HarmlessText.isDangerous(scalar): appendEscape(scalar)
    default: bytes += UTF8.encode(scalar).map(Array.init) ?? []
    }
  }

  /// RFC 8259, section 7: beyond the basic plane, as a surrogate pair.
  private mutating func appendEscape(_ scalar: Unicode.Scalar) {
    for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
      let digits = String(unit, radix: 16)
      append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }
}
