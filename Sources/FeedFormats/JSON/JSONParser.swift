/// Decodes one JSON value (RFC 8259) from a complete text.
///
/// Foundation's decoder takes several times as long for the small objects in feeds, and loses the
/// order of members and the digits of long ids. This one also accepts what programs write that are
/// not strict: a comma too many, and the `NaN` of Python and JavaScript, which counts as null.
struct JSONParser {
  private let bytes: [UInt8]
  private let end: Int
  private var index: Int
  /// Whether the text may end in the middle of the value.
  private var mayBeCut = false
  /// The number of open arrays.
  private var arrays = 0
  /// Whether any member or element is complete, and whether the value is cut.
  private var (hasWhole, isCut) = (false, false)

  /// Decodes the value in a range of bytes.
  ///
  /// - Throws: A `JSONFault` when the bytes are not exactly one value.
  static func value(of bytes: [UInt8], in range: Range<Int>) throws(JSONFault) -> JSONValue {
    var parser = JSONParser(bytes: bytes, range: range)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.index == parser.end else { throw JSONFault() }
    return value
  }

  /// Decodes the object at the beginning of cut bytes, with its complete members, and with the
  /// complete elements of a cut array in it.
  ///
  /// Nil when no member is complete, or when the bytes before the cut are malformed.
  static func value(ofCut bytes: ArraySlice<UInt8>) -> JSONValue? {
    var parser = JSONParser(bytes: Array(bytes), range: 0..<bytes.count)
    parser.mayBeCut = true
    do throws(JSONFault) {
      let value = try parser.value(depth: 0)
      return parser.hasWhole ? value : nil
    } catch {
      return nil
    }
  }

  private init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
    skipSpace()
    guard index < end, depth < FormatLimits.depth else { throw JSONFault() }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return try .string(string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "N"): return try literal("NaN", .null)
    case UInt8(ascii: "I"): return try literal("Infinity", .null)
    case UInt8(ascii: "u"): return try literal("undefined", .null)
    case UInt8(ascii: "-") where index + 1 < end && bytes[index + 1] == UInt8(ascii: "I"):
      return try literal("-Infinity", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONFault) -> JSONValue {
    index += 1
    var members: [JSONMember] = []
    if take(UInt8(ascii: "}")) { return .object(members) }
    members.reserveCapacity(8)
    do throws(JSONFault) {
      repeat {
        if skipCommas(before: UInt8(ascii: "}")) { break }
        members.append(try member(depth: depth))
        noteWhole(inArrays: 0)
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw JSONFault() }
    } catch {
      try acceptCut(error, inArrays: 0)
    }
    return .object(members)
  }

  private mutating func member(depth: Int) throws(JSONFault) -> JSONMember {
    skipSpace()
    guard index < end, bytes[index] == UInt8(ascii: "\"") else { throw JSONFault() }
    let key = try string()
    guard take(UInt8(ascii: ":")) else { throw JSONFault() }
    return JSONMember(key: key, value: try value(depth: depth + 1))
  }

  private mutating func noteWhole(inArrays count: Int) {
    if arrays == count, !isCut { hasWhole = true }
  }

  /// Accepts the end of the text where a value may be cut; an element counts only when it is complete.
  private mutating func acceptCut(
    _ fault: JSONFault,
    inArrays count: Int
  ) throws(JSONFault) {
    guard mayBeCut, index >= end, arrays == count else { throw fault }
    isCut = true
  }

  private mutating func array(depth: Int) throws(JSONFault) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    arrays += 1
    defer { arrays -= 1 }
    do throws(JSONFault) {
      repeat {
        if skipCommas(before: UInt8(ascii: "]")) { break }
        elements.append(try value(depth: depth + 1))
        noteWhole(inArrays: 1)
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw JSONFault() }
    } catch {
      try acceptCut(error, inArrays: 1)
    }
    return .array(elements)
  }

  private mutating func string() throws(JSONFault) -> String {
    index += 1
    let start = index
    while index < end, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
      index += 1
    }
    guard index < end else { throw JSONFault() }
    if bytes[index] == UInt8(ascii: "\"") {
      index += 1
      return String(decoding: bytes[start..<(index - 1)], as: UTF8.self)
    }
    return try escapedString(from: start)
  }

  private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
    var output = Array(bytes[start..<index])
    while index < end {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: output, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { try escape(into: &output) } else { output.append(byte) }
    }
    throw JSONFault()
  }

  private mutating func escape(into output: inout [UInt8]) throws(JSONFault) {
    guard index < end else { throw JSONFault() }
    let byte = bytes[index]
    index += 1
    switch byte {
    // An escaped apostrophe is not JSON, but programs that confuse JSON with JavaScript write it.
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"):
      output.append(byte)
    case UInt8(ascii: "b"): output.append(8)
    case UInt8(ascii: "f"): output.append(12)
    case UInt8(ascii: "n"): output.append(10)
    case UInt8(ascii: "r"): output.append(13)
    case UInt8(ascii: "t"): output.append(9)
    case UInt8(ascii: "u"): try unicodeEscape(into: &output)
    default: throw JSONFault()
    }
  }

  private mutating func unicodeEscape(into output: inout [UInt8]) throws(JSONFault) {
    var value = try codeUnit()
    let isPair = value & 0xFC00 == 0xD800 && index + 1 < end
    if isPair, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") {
      let mark = index
      index += 2
      let low = try codeUnit()
      if low & 0xFC00 == 0xDC00 {
        value = 0x1_0000 + (value & 0x3FF) << 10 + low & 0x3FF
      } else {
        index = mark
      }
    }
    output += (Unicode.Scalar(value) ?? "\u{FFFD}").utf8
  }

  private mutating func codeUnit() throws(JSONFault) -> UInt32 {
    guard index + 4 <= end else { throw faultAtEnd() }
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = CharacterReference.hexadecimalDigit(bytes[index]) else {
        throw JSONFault()
      }
      value = value << 4 | digit
      index += 1
    }
    return value
  }

  private mutating func number() throws(JSONFault) -> JSONValue {
    let start = index
    while index < end, Self.standsInNumber(bytes[index]) { index += 1 }
    guard index > start, index < end || !mayBeCut else { throw JSONFault() }
    return .number(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private static func standsInNumber(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
  }

  private mutating func literal(
    _ text: StaticString,
    _ value: JSONValue
  ) throws(JSONFault) -> JSONValue {
    let length = text.utf8CodeUnitCount
    guard index + length <= end else { throw faultAtEnd() }
    for offset in 0..<length where bytes[index + offset] != text.utf8Start[offset] {
      throw JSONFault()
    }
    index += length
    return value
  }

  /// Moves to the end of the text, where the caller may accept a cut, and returns the fault.
  private mutating func faultAtEnd() -> JSONFault {
    index = end
    return JSONFault()
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard index < end, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Skips commas that separate nothing; true if only the end of the list follows.
  ///
  /// Templates write a comma behind the last entry, too.
  private mutating func skipCommas(before end: UInt8) -> Bool {
    while take(UInt8(ascii: ",")) {}
    return index < self.end && bytes[index] == end
  }

  private mutating func skipSpace() {
    while index < end, bytes[index] <= 0x20 { index += 1 }
  }
}

/// A JSON value, with its members in the document's order and its numbers as written.
///
/// An id may have more digits than a floating-point number keeps.
enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The value of a member; nil when this is not an object or lacks the member.
  subscript(_ key: String) -> JSONValue? {
    members.first { $0.key == key }?.value
  }

  /// The members of an object; empty for any other value.
  var members: [JSONMember] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  /// The elements of an array; empty for any other value.
  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// A string that is not empty.
  var string: String? {
    guard case .string(let text) = self, !text.isEmpty else { return nil }
    return text
  }

  /// A string or number as text.
  var scalar: String? {
    if case .number(let digits) = self { return digits }
    return string
  }

  /// The integer part of a number, or of a string that contains one.
  var integer: Int? { scalar.flatMap { DeclaredNumber.read($0) } }
}

/// The error for text that is not JSON.
struct JSONFault: Error, Equatable {}
