/// Reads sizes as feeds declare them: `640`, `640px`, `7.2`.
enum DeclaredNumber {
  /// The number without its fraction; nil for none, for a share (`100%`), for one with an exponent,
  /// and for zero, by which feeds say that they do not know.
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
