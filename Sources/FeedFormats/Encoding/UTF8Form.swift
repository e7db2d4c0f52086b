/// How characters are written in UTF-8.
enum UTF8Form {
  enum Unit: Equatable {
    /// A character of that many bytes.
    case character(Int)
    /// The first so many bytes of a character whose rest is something else.
    case broken(Int)
    /// The beginning of a character at the end of the bytes.
    case incomplete
    /// A byte that begins no character.
    case stray
  }

  /// What stands at `start`, where a byte beyond ASCII is.
  static func unit(in bytes: Span<UInt8>, at start: Int) -> Unit {
    let lead = bytes[start]
    let length = length(lead: lead)
    guard length > 1 else { return .stray }
    var seen = 1
    while seen < length {
      guard start + seen < bytes.count else { return .incomplete }
      guard continues(bytes[start + seen], lead: seen == 1 ? lead : 0) else { break }
      seen += 1
    }
    // Half of a pair of UTF-16, as some programs write what is beyond U+FFFF.
    if seen == length, lead == 0xED, bytes[start + 1] >= 0xA0 { return .broken(length) }
    if seen == length { return .character(length) }
    return seen == 1 ? .stray : .broken(seen)
  }

  private static func length(lead: UInt8) -> Int {
    switch lead {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  /// Whether a byte can follow; after some first bytes fewer can, so that every character is
  /// written in one way only.
  private static func continues(_ byte: UInt8, lead: UInt8) -> Bool {
    switch lead {
    case 0xE0: byte >= 0xA0 && byte <= 0xBF
    case 0xF0: byte >= 0x90 && byte <= 0xBF
    case 0xF4: byte >= 0x80 && byte <= 0x8F
    default: byte >= 0x80 && byte <= 0xBF
    }
  }
}
