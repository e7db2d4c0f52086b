internal import CCurl
import FoundationEssentials

/// The proxies from the environment, by the rules of libcurl (libcurl-env(3)).
///
/// Each transfer sets its proxy explicitly. If libcurl chose the proxy itself, its choice would depend on redirects,
/// and libcurl would not report it. A direct connection to a private address could then look like a connection to a
/// proxy.
struct ProxySettings: Sendable, Equatable {
  private let http: String?
  private let https: String?
  private let exceptions: NoProxyList

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let all = first("all_proxy", "ALL_PROXY")
    // HTTP_PROXY is ignored: in a CGI script, it holds a visitor's request field `Proxy`.
    http = first("http_proxy") ?? all
    https = first("https_proxy", "HTTPS_PROXY") ?? all
    exceptions = NoProxyList(first("no_proxy", "NO_PROXY") ?? "")
  }

  /// Whether there are no proxies.
  var isEmpty: Bool { http == nil && https == nil }

  func route(to url: HopURL) -> ProxyRoute {
    let proxy = url.scheme == "https" ? https : http
    guard let proxy, !exceptions.contains(url.host) else { return .direct }
    return .proxy(proxy)
  }
}

/// The route of a connection: direct or through a proxy.
enum ProxyRoute: Sendable, Equatable {
  case direct
  /// Through a proxy, with the text for CURLOPT_PROXY.
  case proxy(String)

  /// The text for CURLOPT_PROXY; an empty text keeps libcurl from reading the environment.
  var option: String {
    switch self {
    case .direct: ""
    case .proxy(let text): text
    }
  }
}

/// The hosts to connect to directly (CURLOPT_NOPROXY).
///
/// The list contains names, addresses, and ranges of addresses such as `10.0.0.0/8`. A name includes its subdomains.
/// Commas or blanks separate the entries. A single `*` means all hosts.
struct NoProxyList: Sendable, Equatable {
  private let words: [String]
  private let isAll: Bool

  init(_ text: String) {
    isAll = text == "*"
    words = text.lowercased().utf8.split { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      .map { String(Substring($0)) }
  }

  /// Whether the list contains a host, which is written as in `HopURL`.
  func contains(_ host: String) -> Bool {
    if isAll { return true }
    let isBracketed = host.utf8.first == UInt8(ascii: "[")
    let name = isBracketed ? Substring(host.utf8.dropFirst().dropLast()) : host[...]
    if let address = IPAddress(String(name)) {
      return words.contains { Self.isWithin(address, $0) }
    }
    return words.contains { Self.isBelow(name, $0) }
  }

  private static func isBelow(_ name: Substring, _ word: String) -> Bool {
    let dot = UInt8(ascii: ".")
    let name = name.utf8.last == dot ? name.utf8.dropLast() : name.utf8
    var word = word.utf8[...]
    if word.last == dot { word = word.dropLast() }
    if word.first == dot { word = word.dropFirst() }
    guard !word.isEmpty, name.suffix(word.count).elementsEqual(word) else { return false }
    let rest = name.dropLast(word.count)
    return rest.isEmpty || rest.last == dot
  }

  private static func isWithin(_ address: IPAddress, _ word: String) -> Bool {
    let parts = word.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).map { Substring($0) }
    guard let first = parts.first, let start = IPAddress(String(first)) else { return false }
    let bits = parts.dropFirst().first.flatMap { Int($0) } ?? 0
    return switch (start, address) {
    case (.v4(let start), .v4(let address)): isWithin(start, bits, address)
    case (.v6(let start), .v6(let address)): isWithin(start, bits, address)
    default: false
    }
  }

  /// Whether two addresses share their first bits; with 0 bits, they must be equal.
  private static func isWithin<Number: FixedWidthInteger>(
    _ start: Number,
    _ bits: Int,
    _ address: Number
  ) -> Bool {
    guard bits > 0 else { return start == address }
    return bits <= Number.bitWidth && (start ^ address) >> (Number.bitWidth - bits) == 0
  }
}

/// The scheme and host of a URL, as libcurl parses them.
///
/// Two parsers may read the same URL differently, and decisions about a connection must use the host to which libcurl
/// connects. libcurl decodes escapes, and normalises unusual forms of IPv4 addresses (`0x7f.1`, `2130706433`) to four
/// numbers.
struct HopURL {
  /// The scheme, in lower case.
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

  /// Whether the URL has a host; compares bytes, as a name service may.
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
