/// Text that stands for itself in a JSON string and on a terminal, as most does: printable ASCII, but
/// no quote and no backslash.
///
/// Eight bytes are looked at at once, in one number. Where one of them is not plain, the highest bit of
/// it is set in what the sums below give; a sum may set bits of higher bytes too, but only then.
enum PlainText {
  /// Each byte 1.
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// The highest bit of each byte.
  private static let highest: UInt64 = 0x8080_8080_8080_8080

  static func isAll(_ text: Span<UInt8>) -> Bool {
    let bytes = text.bytes
    let size = MemoryLayout<UInt64>.size
    guard text.count >= size else { return isAll(short: text) }
    var place = 0
    while place < text.count {
      // The last eight may have been looked at in part already.
      let start = min(place, text.count - size)
      let word = bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
      if !isPlain(word) { return false }
      place += size
    }
    return true
  }

  private static func isAll(short text: Span<UInt8>) -> Bool {
    // What is missing is made up for by something plain.
    var word = ones &* UInt64(UInt8(ascii: " "))
    for index in text.indices { word = word << 8 | UInt64(text[index]) }
    return isPlain(word)
  }

  private static func isPlain(_ word: UInt64) -> Bool {
    let belowSpace = (word &- ones &* 0x20) & ~word
    let aboveTilde = (word &+ ones) | word
    let special =
      belowSpace | aboveTilde | found(UInt8(ascii: "\""), in: word)
      | found(UInt8(ascii: "\\"), in: word)
    return special & highest == 0
  }

  /// A byte that is 0 after the exclusive or was the one that is looked for.
  private static func found(_ byte: UInt8, in word: UInt64) -> UInt64 {
    let difference = word ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference
  }
}
