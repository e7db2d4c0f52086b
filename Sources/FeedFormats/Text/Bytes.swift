extension Span<UInt8> {
  /// Whether these are exactly the bytes of `text`.
  func holds(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text, at: 0)
  }

  /// Whether the bytes from `start` on begin with exactly those of `text`.
  func begins(with text: StaticString, at start: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count - start >= length else { return false }
    return text.withUTF8Buffer { expected in
      for index in 0..<length where self[start + index] != expected[index] { return false }
      return true
    }
  }

  /// Whether the bytes from `start` on begin with `text`, which is in lower case, ignoring case.
  func beginsIgnoringCase(with text: StaticString, at start: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count - start >= length else { return false }
    return text.withUTF8Buffer { expected in
      for index in 0..<length where self[start + index].lowercased != expected[index] {
        return false
      }
      return true
    }
  }

  /// The offset of the first occurrence of `text`, which is not empty, at or after `start`; nil
  /// when it does not occur.
  func first(_ text: StaticString, from start: Int) -> Int? {
    var index = start
    while let next = first(text.utf8Start[0], from: index) {
      if begins(with: text, at: next) { return next }
      index = next + 1
    }
    return nil
  }

  /// The offset of the first occurrence of `text`, which is in lower case, ignoring case.
  func firstIgnoringCase(_ text: StaticString, from start: Int) -> Int? {
    var index = start
    while index < count {
      if beginsIgnoringCase(with: text, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// The offset of the first `byte` at or after `start`; nil when it does not occur.
  func first(_ byte: UInt8, from start: Int) -> Int? {
    var index = start
    while index < count {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// The offset of the last `byte`; nil when it does not occur.
  func lastIndex(of byte: UInt8) -> Int? {
    var index = count - 1
    while index >= 0 {
      if self[index] == byte { return index }
      index -= 1
    }
    return nil
  }

  /// The offset of the first `<` or `&`, one of which begins all markup; nil in plain text.
  var firstMarkup: Int? {
    for index in indices where self[index] == UInt8(ascii: "<") || self[index] == UInt8(ascii: "&")
    {
      return index
    }
    return nil
  }

  /// The offset after the white space at `start`, if there is any.
  func endOfSpace(from start: Int) -> Int {
    var index = start
    while index < count, self[index] <= 0x20 { index += 1 }
    return index
  }

  /// The offset at which the path of an address ends: at its query, its fragment or its end.
  var endOfPath: Int {
    var end = 0
    while end < count, self[end] != UInt8(ascii: "?"), self[end] != UInt8(ascii: "#") { end += 1 }
    return end
  }

  /// The number of at most six digits that ends before `end`; nil when no digit is there.
  func number(before end: Int) -> Int? {
    var start = end
    while start > 0, end - start < 6, self[start - 1].isDigit { start -= 1 }
    return start == end ? nil : Int(extracting(start..<end).text)
  }

  /// The number of at most six digits that begins after `start`; nil when no digit is there.
  func number(after start: Int) -> Int? {
    var end = start + 1
    while end < count, end - start < 6, self[end].isDigit { end += 1 }
    return end == start + 1 ? nil : Int(extracting((start + 1)..<end).text)
  }

  /// The range of the bytes without white space at both ends.
  var trimmedRange: Range<Int> {
    let start = endOfSpace(from: 0)
    var end = count
    while end > start, self[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }

  /// The bytes as text, with replacement characters for bytes that are not UTF-8.
  var text: String {
    withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

extension [UInt8] {
  mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}

extension UInt8 {
  /// The byte, with an ASCII capital in lower case.
  var lowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }

  /// Whether the byte is an ASCII letter.
  var isLetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }

  /// Whether the byte is an ASCII digit.
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

/// Reads sizes as feeds declare them: `640`, `640px`, `7.2`.
enum DeclaredNumber {
  /// The number without its fraction.
  ///
  /// Nil for a text without a number, a percentage (`100%`), a number with an exponent, and zero,
  /// which feeds use for an unknown size.
  static func read(_ text: String) -> Int? {
    var value = 0
    var digits = 0
    var isFraction = false
    var isBehindDigit = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "%") || isBehindDigit && byte | 0x20 == UInt8(ascii: "e") {
        return nil
      } else if byte.isDigit {
        if !isFraction {
          digits += 1
          value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        guard digits <= 12 else { return nil }
      } else if byte == UInt8(ascii: "."), digits > 0, !isFraction {
        isFraction = true
      } else if digits > 0 || byte > 0x20 {
        break
      }
      isBehindDigit = byte.isDigit
    }
    return value > 0 ? value : nil
  }
}

/// A list of parts to search for in addresses, all in one pass, ignoring case.
struct PartList: Sendable {
  /// The parts by their first byte.
  private var byFirst = [[StaticString]](repeating: [], count: 256)

  /// Makes a list of parts in lower case.
  init(_ parts: [StaticString]) {
    for part in parts { byFirst[Int(part.utf8Start[0])].append(part) }
  }

  /// Whether an address contains one of the parts.
  func occurs(in address: String) -> Bool { occurs(in: address.utf8Span.span) }

  /// Whether an address contains one of the parts.
  func occurs(in bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices {
      for part in byFirst[Int(bytes[index].lowercased)]
      where bytes.beginsIgnoringCase(with: part, at: index) {
        return true
      }
    }
    return false
  }
}
