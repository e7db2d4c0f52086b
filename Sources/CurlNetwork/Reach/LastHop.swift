import Glibc

/// Reads the addresses that transfers are at, one after the other, of which most are at one host.
struct LastHop {
  /// The last reading, and the bytes that it was told by.
  private var last: (origin: [UInt8], hop: HopURL)?

  /// What libcurl reads in an address; nil for what it would not ask for.
  ///
  /// What is the same up to the slash behind the host it reads in the same way, whatever follows. The
  /// same are bytes, never spellings of one text.
  mutating func reading(_ url: UnsafePointer<CChar>) -> HopURL? {
    let bytes = UnsafeRawBufferPointer(start: url, count: strlen(url))
    guard let end = Self.originEnd(in: bytes) else { return HopURL(url) }
    let origin = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    if let last, Self.areSame(last.origin, origin) { return last.hop }
    guard let hop = HopURL(url) else { return nil }
    last = (Array(origin), hop)
    return hop
  }

  /// Where all up to the third slash ends; nil where there are fewer.
  private static func originEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    var slashes = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      slashes += 1
      if slashes == 3 { return index + 1 }
    }
    return nil
  }

  private static func areSame(_ one: [UInt8], _ other: UnsafeRawBufferPointer) -> Bool {
    guard let start = other.baseAddress, one.count == other.count else { return false }
    return memcmp(one, start, one.count) == 0
  }
}
