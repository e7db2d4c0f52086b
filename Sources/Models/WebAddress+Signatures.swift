/// Addresses of files that have a new signature in each answer, or are served from any of several hosts.
extension WebAddress {
  /// Whether both are addresses of one file, if both belong to the same picture of the same entry.
  ///
  /// Their paths are the same, and so is the domain; their queries may differ, but not in a parameter that tells
  /// pictures apart. A path without the name of a picture may be a program that serves every picture, so there only
  /// signatures and cache busters may differ.
  package func namesSameFile(as other: WebAddress) -> Bool {
    let (one, two) = (AddressParts(identity), AddressParts(other.identity))
    guard isWeb, other.isWeb, one.path == two.path, Self.isOneDomain(one, two) else { return false }
    return Self.hasPictureName(one.path) && Self.content(one.query) == Self.content(two.query)
      || Self.unsigned(one.query) == Self.unsigned(two.query)
  }

  /// Whether the path ends with the name of a picture, such as `moon.jpg`.
  package var hasPictureName: Bool { Self.hasPictureName(AddressParts(identity).path) }

  /// Whether both paths end with the same name, and may have a signature before it.
  ///
  /// The caller has to know from elsewhere that both are the same file, such as from its declared length.
  package func sharesName(with other: WebAddress) -> Bool {
    let (one, two) = (AddressParts(identity), AddressParts(other.identity))
    let (names, others) = (one.path.split(separator: "/"), two.path.split(separator: "/"))
    return isWeb && other.isWeb && Self.isOneDomain(one, two) && names.count == others.count
      && names.count > 1 && names.last == others.last
  }

  /// The identity without the parameters of signatures and cache busters, and without the number of a host of several.
  ///
  /// Other programs of a site distinguish pictures by the other parameters.
  package var unsignedIdentity: String {
    var parts = AddressParts(identity)
    guard isWeb, let authority = parts.authority else { return parts.text }
    parts.query = Self.unsigned(parts.query)
    let labels = authority.split(separator: ".", omittingEmptySubsequences: false)
    if labels.count > 2, !Self.isIPAddress(labels) {
      parts.authority = ([Self.withoutNumbers(labels[0])] + labels.dropFirst().map(String.init))
        .joined(separator: ".")
    }
    return parts.text
  }

  // MARK: Hosts and names

  /// Whether two hosts are the same, or belong to one domain, as `img1.host.example` and `img2.host.example` do.
  private static func isOneDomain(_ one: AddressParts, _ other: AddressParts) -> Bool {
    guard let host = one.authority, let otherHost = other.authority else { return false }
    return host == otherHost || domain(of: host).map { $0 == domain(of: otherHost) } ?? false
  }

  /// The last two labels of a host, or three below a domain such as `co.uk`; nil if the host has no more labels.
  private static func domain(of authority: String) -> String? {
    let labels = authority.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 2, !isIPAddress(labels), let last = labels.last else { return nil }
    let isShort = last.prefix { $0 != ":" }.count == 2 && labels[labels.count - 2].count <= 3
    let count = isShort ? 3 : 2
    return labels.count > count ? labels.suffix(count).joined(separator: ".") : nil
  }

  private static func isIPAddress(_ labels: [Substring]) -> Bool {
    labels.dropLast().allSatisfy { $0.utf8.allSatisfy(isDigit) } || labels[0].utf8.first == 0x5B
  }

  private static func withoutNumbers(_ label: Substring) -> String {
    var result: [UInt8] = []
    for byte in label.utf8 where !isDigit(byte) || result.last != UInt8(ascii: "#") {
      result.append(isDigit(byte) ? UInt8(ascii: "#") : byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let pictureExtensions: Set<String> = [
    "avif", "bmp", "gif", "heic", "jpe", "jpeg", "jpg", "jxl", "png", "svg", "tif", "tiff", "webp",
  ]

  private static func hasPictureName(_ path: String) -> Bool {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? ""[...].utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return pictureExtensions.contains(Substring(name[name.index(after: dot)...]).lowercased())
  }

  // MARK: Parameters

  /// The query without its signatures and cache busters; nil when no parameter remains.
  private static func unsigned(_ query: String?) -> String? {
    let rest = query?.split(separator: "&").filter { parameter in
      let name = parameter.prefix { $0 != "=" }
      return !isSignature(name.lowercased(), parameter.dropFirst(name.count + 1))
    }
    return rest.flatMap { $0.isEmpty ? nil : $0.joined(separator: "&") }
  }

  /// Names of parameters that hold a signature, its terms, or the moment of the answer.
  private static let signatureNames: Set<String> = [
    "accesskeyid", "auth", "auth_key", "awsaccesskeyid", "cachebuster", "ccb", "efg", "ex", "exp",
    "expire", "expires", "expiry", "googleaccessid", "hdnts", "hm", "hmac", "is", "ixid",
    "key-pair-id", "nocache", "nonce", "oe", "oh", "policy", "rand", "random", "se", "sig", "sign",
    "signature", "ske", "skoid", "sks", "skt", "sktid", "skv", "sp", "spr", "sr", "st", "sv",
    "timestamp", "token", "verify", "_",
  ]

  /// Names that hold a version or a time if their value is a number.
  private static let versionNames: Set<String> = [
    "c", "cache", "cb", "e", "m", "mtime", "r", "rev", "t", "time", "ts", "updated", "v", "ver",
    "version",
  ]

  /// Names whose values tell pictures apart, however random they look.
  private static let contentNames: Set<String> = [
    "asset", "cam", "camera", "date", "file", "filename", "guid", "id", "image", "img", "media",
    "name", "page", "path", "photo", "photoid", "pic", "picture", "site", "src", "station", "u",
    "url", "uuid",
  ]

  /// The parameters of a query with such names.
  private static func content(_ query: String?) -> [Substring] {
    (query ?? "").split(separator: "&").filter { parameter in
      contentNames.contains(parameter.prefix { $0 != "=" }.lowercased())
    }
  }

  private static func isSignature(_ name: String, _ value: Substring) -> Bool {
    if signatureNames.contains(name) || contentNames.contains(name) {
      return !contentNames.contains(name)
    }
    if ["x-amz-", "x-goog-", "x-oss-", "x-cos-", "_nc_"].contains(where: name.hasPrefix) {
      return true
    }
    let isNumber = !value.isEmpty && value.utf8.allSatisfy(isDigit)
    return versionNames.contains(name) && isNumber || looksRandom(value)
  }

  /// Whether a value has 20 letters and digits or more, and both kinds, as hashes and encoded signatures have.
  private static func looksRandom(_ value: Substring) -> Bool {
    let bytes = value.utf8
    let isPlain = bytes.allSatisfy { byte in
      isDigit(byte) || (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
        || "-_%=+~".utf8.contains(byte)
    }
    return bytes.count >= 20 && isPlain && bytes.contains(where: isDigit)
      && bytes.contains { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
