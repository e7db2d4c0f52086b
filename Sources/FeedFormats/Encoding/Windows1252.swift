/// The code page that bytes without a known encoding are read in.
enum Windows1252 {
  /// The character of a byte beyond ASCII, in UTF-8.
  static func utf8(_ byte: UInt8) -> [UInt8] {
    let value = UInt32(byte)
    let scalar = CharacterReference.windows1252[value] ?? (value < 0xA0 ? "\u{FFFD}" : nil)
    return Array(UTF8.encode(scalar ?? Unicode.Scalar(byte)) ?? UTF8.encodedReplacementCharacter)
  }
}
