/// What a character reference of HTML stands for: `&eacute;`, `&#233;`, `&#xe9;`.
enum CharacterReference {
  /// The longest name HTML gives a character, with room for a numeric reference.
  static let longestName = 32

  /// The scalar that `name`, the part between `&` and `;`, stands for; nil for an unknown name.
  static func scalar(named name: Span<UInt8>) -> Unicode.Scalar? {
    guard name.count > 1, name.count <= longestName else { return nil }
    if name[0] == UInt8(ascii: "#") { return numbered(name) }
    return common(name) ?? CharacterNames.scalar(named: name)
  }

  private static func common(_ name: Span<UInt8>) -> Unicode.Scalar? {
    if name.holds("amp") { return "&" }
    if name.holds("lt") { return "<" }
    if name.holds("gt") { return ">" }
    if name.holds("quot") { return "\"" }
    if name.holds("apos") { return "'" }
    if name.holds("nbsp") { return "\u{A0}" }
    return nil
  }

  private static func numbered(_ name: Span<UInt8>) -> Unicode.Scalar? {
    let isHexadecimal = name[1] | 0x20 == UInt8(ascii: "x")
    let digits = name.extracting((isHexadecimal ? 2 : 1)...)
    var value: UInt32 = 0
    guard !digits.isEmpty else { return nil }
    for index in digits.indices {
      guard let digit = hexadecimalDigit(digits[index]), isHexadecimal || digit < 10,
        value < 0x11_0000
      else { return nil }
      value = value * (isHexadecimal ? 16 : 10) + digit
    }
    return windows1252[value] ?? Unicode.Scalar(value)
  }

  /// The value of a hexadecimal digit.
  static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Numbers that mean a control character but were meant in Windows' code page, as browsers
  /// read them (HTML, section 13.2.5.80).
  static let windows1252: [UInt32: Unicode.Scalar] = [
    0x80: "\u{20AC}", 0x82: "\u{201A}", 0x83: "\u{192}", 0x84: "\u{201E}", 0x85: "\u{2026}",
    0x86: "\u{2020}", 0x87: "\u{2021}", 0x88: "\u{2C6}", 0x89: "\u{2030}", 0x8A: "\u{160}",
    0x8B: "\u{2039}", 0x8C: "\u{152}", 0x8E: "\u{17D}", 0x91: "\u{2018}", 0x92: "\u{2019}",
    0x93: "\u{201C}", 0x94: "\u{201D}", 0x95: "\u{2022}", 0x96: "\u{2013}", 0x97: "\u{2014}",
    0x98: "\u{2DC}", 0x99: "\u{2122}", 0x9A: "\u{161}", 0x9B: "\u{203A}", 0x9C: "\u{153}",
    0x9E: "\u{17E}", 0x9F: "\u{178}",
  ]
}

/// Undoes the character references in a text that is no markup, such as an address.
enum References {
  /// The text with its references decoded once.
  static func decoded(_ bytes: Span<UInt8>) -> String {
    guard let first = bytes.first(UInt8(ascii: "&"), from: 0) else { return bytes.text }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    for index in 0..<first { output.append(bytes[index]) }
    var index = first
    while index < bytes.count { index = decode(bytes, at: index, into: &output) }
    return String(decoding: output, as: UTF8.self)
  }

  /// The text with its references decoded once.
  static func decoded(_ text: String) -> String {
    text.utf8Span.span.first(UInt8(ascii: "&"), from: 0) == nil
      ? text : decoded(text.utf8Span.span)
  }

  private static func decode(
    _ bytes: Span<UInt8>,
    at start: Int,
    into output: inout [UInt8]
  ) -> Int {
    let latest = min(bytes.count, start + CharacterReference.longestName + 2)
    if bytes[start] == UInt8(ascii: "&"),
      let end = bytes.extracting(0..<latest).first(UInt8(ascii: ";"), from: start + 1),
      let scalar = CharacterReference.scalar(named: bytes.extracting((start + 1)..<end))
    {
      output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return end + 1
    }
    output.append(bytes[start])
    return start + 1
  }
}
