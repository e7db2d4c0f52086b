/// Reads the addresses that transfers are at, one after the other, of which most are at one host.
struct LastHop {
  /// The last reading, and the bytes that it was told by.
  private var last: (origin: [UInt8], hop: HopURL)?

  /// What libcurl reads in an address; nil for what it would not ask for.
  ///
  /// What is the same up to the slash behind the host it reads in the same way, whatever follows. The
  /// same are bytes, never spellings of one text.
  mutating func reading(_ url: String) -> HopURL? {
    let bytes = url.utf8Span.span
    guard let end = Self.originEnd(in: bytes) else { return HopURL(url) }
    if let last, Self.areSame(last.origin.span, bytes.extracting(0..<end)) { return last.hop }
    guard let hop = HopURL(url) else { return nil }
    last = (Array(url.utf8.prefix(end)), hop)
    return hop
  }

  /// Where all up to the third slash ends; nil where there are fewer.
  private static func originEnd(in bytes: Span<UInt8>) -> Int? {
    var slashes = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      slashes += 1
      if slashes == 3 { return index + 1 }
    }
    return nil
  }

  private static func areSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    for index in one.indices where one[index] != other[index] { return false }
    return true
  }
}
