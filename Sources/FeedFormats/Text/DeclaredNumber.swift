/// Reads sizes as feeds declare them: `640`, `640px`, `7.2`.
enum DeclaredNumber {
  /// The number; nil for none, for a share (`100%`), and for zero, by which feeds say that they do
  /// not know.
  static func read(_ text: String) -> Int? {
    var value = 0
    var digits = 0
    for byte in text.utf8 {
      if byte.isDigit {
        digits += 1
        guard digits <= 12 else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      } else if byte == UInt8(ascii: "%") {
        return nil
      } else if digits > 0 || byte > 0x20 {
        break
      }
    }
    return value > 0 ? value : nil
  }
}
