internal import CCurl
import Glibc

/// The scheme and host of a URL, as libcurl itself parses them.
///
/// Two parsers may read the same URL differently, and decisions about a connection must use the host to
/// which libcurl connects. libcurl decodes escapes, and writes unusual forms of IPv4 addresses
/// (`0x7f.1`, `2130706433`) as four numbers.
struct HopURL {
  /// The scheme in lower case.
  let scheme: String
  /// The host, with ASCII letters in lower case; an IPv6 address has brackets and no zone.
  let host: String
  let hasZone: Bool

  /// Parses a URL; nil when libcurl rejects it or the host is not valid UTF-8.
  init?(_ text: UnsafePointer<CChar>) {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    // The same flags as for the URL of a transfer.
    let flags = UInt32(CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME)
    guard curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK,
      let scheme = Self.part(CURLUPART_SCHEME, of: url),
      let host = Self.part(CURLUPART_HOST, of: url)
    else { return nil }
    self.scheme = scheme
    self.host = host
    hasZone = Self.part(CURLUPART_ZONEID, of: url) != nil
  }

  /// Whether it is at a host; it compares bytes, as a name service may.
  func isAt(_ host: String) -> Bool {
    let (own, other) = (self.host.utf8Span.span, host.utf8Span.span)
    guard own.count == other.count else { return false }
    for index in own.indices where own[index] != other[index] { return false }
    return true
  }

  private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    guard let whole = String(validatingCString: text) else { return nil }
    let lowered = whole.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return String(decoding: lowered, as: UTF8.self)
  }
}

/// A cache of the last parsed URL, because consecutive transfers mostly have the same host.
struct LastHop {
  /// The last result, and the bytes of its URL up to the path.
  private var last: (origin: [UInt8], hop: HopURL)?

  /// Parses a URL; nil when libcurl rejects it.
  ///
  /// URLs with the same bytes up to the slash behind the host have the same result.
  mutating func reading(_ url: UnsafePointer<CChar>) -> HopURL? {
    let bytes = UnsafeRawBufferPointer(start: url, count: strlen(url))
    guard let end = Self.originEnd(in: bytes) else { return HopURL(url) }
    let origin = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    if let last, Self.areSame(last.origin, origin) { return last.hop }
    guard let hop = HopURL(url) else { return nil }
    last = (Array(origin), hop)
    return hop
  }

  /// The end of the third slash; nil when there are fewer.
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
