extension Span<UInt8> {
  /// Whether these are the bytes of `text`, compared as they are.
  func holds(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text, at: 0)
  }

  /// Whether the bytes from `start` on begin with those of `text`, compared as they are.
  func begins(with text: StaticString, at start: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count - start >= length else { return false }
    return text.withUTF8Buffer { expected in
      for index in 0..<length where self[start + index] != expected[index] { return false }
      return true
    }
  }

  /// Whether the bytes from `start` on begin with those of `text`, a text in lower case, compared
  /// without regard to case.
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

  /// Whether the bytes of `text` stand anywhere among these; several times as fast as `contains`.
  func holdsInside(_ text: StaticString) -> Bool {
    guard text.utf8CodeUnitCount > 0 else { return true }
    var start = 0
    while let next = first(text.utf8Start[0], from: start) {
      if begins(with: text, at: next) { return true }
      start = next + 1
    }
    return false
  }

  /// The place of the first `byte` at or after `start`; nil when there is none.
  func first(_ byte: UInt8, from start: Int) -> Int? {
    var index = start
    while index < count {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// The place of the last `byte`; nil when there is none.
  func lastIndex(of byte: UInt8) -> Int? {
    var index = count - 1
    while index >= 0 {
      if self[index] == byte { return index }
      index -= 1
    }
    return nil
  }

  /// The number whose last digit stands before `end`; nil for none, and for one of many digits.
  func number(before end: Int) -> Int? {
    var start = end
    while start > 0, end - start < 6, self[start - 1].isDigit { start -= 1 }
    return start == end ? nil : Int(extracting(start..<end).text)
  }

  /// The number whose first digit stands after `start`; nil for none.
  func number(after start: Int) -> Int? {
    var end = start + 1
    while end < count, end - start < 6, self[end].isDigit { end += 1 }
    return end == start + 1 ? nil : Int(extracting((start + 1)..<end).text)
  }

  /// The place of the bytes without the white space at both ends.
  var trimmedRange: Range<Int> {
    var start = 0
    var end = count
    while start < end, self[start] <= 0x20 { start += 1 }
    while end > start, self[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }

  /// The bytes as text, what is not UTF-8 in them replaced.
  var text: String {
    withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

extension UInt8 {
  /// The byte with an ASCII capital made small.
  var lowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }

  /// Whether the byte is an ASCII letter.
  var isLetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }

  /// Whether the byte is an ASCII digit.
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
