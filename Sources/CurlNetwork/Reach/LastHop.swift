/// Reads the addresses that transfers are at, one after the other, of which most are at one host.
struct LastHop {
  /// The last reading, and the bytes that it was told by.
  private var last: (origin: [UInt8], hop: HopURL)?

  /// What libcurl reads in an address; nil for what it would not ask for.
  ///
  /// What is the same up to the slash behind the host it reads in the same way, whatever follows. The
  /// same are bytes, never spellings of one text.
  mutating func reading(_ url: String) -> HopURL? {
    guard let origin = Self.origin(of: url.utf8) else { return HopURL(url) }
    if let last, origin.elementsEqual(last.origin) { return last.hop }
    guard let hop = HopURL(url) else { return nil }
    last = (Array(origin), hop)
    return hop
  }

  /// All up to the third slash; nil where there are fewer.
  private static func origin(of url: String.UTF8View) -> Substring.UTF8View? {
    var slashes = 0
    for index in url.indices where url[index] == UInt8(ascii: "/") {
      slashes += 1
      if slashes == 3 { return url[...index] }
    }
    return nil
  }
}
