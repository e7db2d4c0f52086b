/// Percent-encoding of addresses and forms (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Encodes every byte except letters, digits and `kept`; the default is the unreserved characters (section 2.3).
  package static func encode(_ text: String, keeping kept: String = "-._~") -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isLetterOrDigit(byte) || kept.utf8.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Encodes only spaces and the bytes of characters beyond ASCII.
  package static func escapeForeign(_ text: some StringProtocol) -> String {
    text.utf8.lazy.map { byte in
      byte != 0x20 && byte < 0x80
        ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// Decodes a text.
  ///
  /// A percent sign without two hexadecimal digits stays, and bytes that are not UTF-8 become U+FFFD.
  package static func decode(_ text: some StringProtocol) -> String {
    var result: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = value(of: rest.prefix(2)) {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The value of two hexadecimal digits; nil for anything else.
  private static func value(of digits: Substring.UTF8View) -> UInt8? {
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return values.count == 2 ? UInt8(values[0] << 4 | values[1]) : nil
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
