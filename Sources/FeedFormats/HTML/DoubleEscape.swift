/// HTML that was escaped once more than its format asks for.
enum DoubleEscape {
  /// The text with its references decoded, where it holds an escaped `img` and no tag at all: a text
  /// with tags means what it escapes as text.
  static func undone(in bytes: Span<UInt8>) -> [UInt8]? {
    var index = 0
    var holdsImage = false
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count, bytes[index + 1].isLetter {
        return nil
      }
      if bytes[index] == UInt8(ascii: "&"),
        bytes.beginsIgnoringCase(with: "&lt;img", at: index)
      {
        holdsImage = true
      }
      index += 1
    }
    return holdsImage ? Array(References.decoded(bytes).utf8) : nil
  }
}
