/// How much of a text is kept: so many bytes, and those that complete the last character of them.
///
/// After half a character libxml2 takes all that follows for another encoding.
struct TextBound {
  /// How many bytes there is room for; below 0 once something was left out.
  private var room: Int

  /// Takes how many bytes of the text are kept.
  init(_ limit: Int) { room = limit }

  /// How many of the next bytes are kept.
  mutating func take(_ bytes: Span<UInt8>) -> Int {
    guard room >= 0 else { return 0 }
    var kept = min(room, bytes.count)
    room -= kept
    // What continues a character of UTF-8 (RFC 3629, section 3).
    while kept < bytes.count, bytes[kept] & 0xC0 == 0x80 { kept += 1 }
    if kept < bytes.count { room = -1 }
    return kept
  }
}
