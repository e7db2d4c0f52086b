internal import CCurl

/// The parts of an address that say where a connection goes, as libcurl itself reads them.
///
/// Two programs can read one address in two ways: what is decided by the host that is asked must not
/// be decided by another's reading. libcurl undoes escapes, and writes the odd forms of IPv4 addresses
/// (`0x7f.1`, `2130706433`) as four numbers.
struct HopURL {
  /// In lower case.
  let scheme: String
  /// In lower case as far as it is ASCII; an IPv6 address is in brackets, without its zone.
  let host: String
  let hasZone: Bool

  /// Nil for what libcurl would not ask for, and for a host that is no text.
  init?(_ text: UnsafePointer<CChar>) {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    // As libcurl does with the address of a transfer.
    let flags = UInt32(CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME)
    guard curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK,
      let scheme = Self.part(CURLUPART_SCHEME, of: url),
      let host = Self.part(CURLUPART_HOST, of: url)
    else { return nil }
    self.scheme = scheme
    self.host = host
    hasZone = Self.part(CURLUPART_ZONEID, of: url) != nil
  }

  /// Compares bytes: no two names count as one that a name service may tell apart.
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
