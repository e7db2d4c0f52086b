internal import CCurl
import FoundationEssentials
import Models
import Workers

extension WebAddress {
  /// Whether two addresses have the same scheme, host and port (RFC 6454, section 5).
  func isSameOrigin(as other: WebAddress) -> Bool {
    scheme == other.scheme && hostKey == other.hostKey
  }

  /// The user-info as written; nil when the address has no user-info.
  var userInfo: Substring? {
    let authority = authorityBytes
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    guard let at, at > authority.startIndex else { return nil }
    return Substring(authority[..<at])
  }

  /// The address without user-info.
  var withoutUserInfo: WebAddress {
    guard let userInfo else { return self }
    let rest = text[userInfo.endIndex...].utf8.dropFirst()
    return WebAddress(text[..<userInfo.startIndex] + String(Substring(rest))) ?? self
  }

  /// The text as a request can contain it: the host as the name service knows it (UTS #46), other characters beyond
  /// ASCII escaped.
  var asSent: String {
    guard hasForeignHost else { return escaped.text }
    let user = userInfo.map { PercentEncoding.escapeForeign($0) + "@" } ?? ""
    let authority = authorityBytes
    let rest = PercentEncoding.escapeForeign(text[authority.endIndex...])
    return text[..<authority.startIndex] + user + asciiHost + rest
  }

  /// The origin as a request can contain it; nil if its host has no form in ASCII.
  var originAsSent: String? {
    let text = "\(scheme)://\(hasForeignHost ? asciiHost : hostAndPort)/"
    return text.utf8.allSatisfy { $0 < 0x80 } ? text : nil
  }

  /// Whether the host and port have characters beyond ASCII, or their escapes.
  var hasForeignHost: Bool {
    hostBytes.contains { $0 >= 0x80 || $0 == UInt8(ascii: "%") }
  }

  private var hostBytes: Substring.UTF8View {
    let authority = authorityBytes
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    return at.map { authority[$0...].dropFirst() } ?? authority
  }

  /// The host in ASCII, with the port; as written if it is no valid international name.
  private var asciiHost: String {
    let bytes = hostBytes
    // An IPv6 address may have a zone behind a percent sign.
    guard bytes.first != UInt8(ascii: "[") else { return String(Substring(bytes)) }
    let end = bytes.lastIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    let host = PercentEncoding.decode(Substring(bytes[..<end]))
    guard !host.utf8.contains(0), let ascii = ccurl_ascii_host(host) else {
      return String(Substring(bytes))
    }
    defer { ccurl_free_host(ascii) }
    let name = String(cString: ascii)
    // Some characters become delimiters of an address, such as the slash in U+2100.
    guard name.utf8.allSatisfy(Self.isInName) else { return String(Substring(bytes)) }
    return name + String(Substring(bytes[end...]))
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The `Referer` field of a request for a picture.
enum Referer: CaseIterable {
  init(_ referer: PictureReferer) { self = referer == .own ? .own : .page }

  case none
  /// The origin of the picture itself.
  case own
  /// The origin of the page that shows it.
  case page
}

extension NetworkRequest {
  /// Whether the feed was named with https, and the request would leave its encryption.
  var leavesEncryption: Bool { feed?.isSecure == true && !address.isSecure }

  /// Whether its address contains the feed's login, which must not leave the encryption.
  var withholdsUserInfo: Bool {
    leavesEncryption && address.userInfo != nil && address.userInfo == feed?.userInfo
  }

  /// The origin for a `Referer` field, as browsers send it to other origins (Referrer Policy, section 3.7).
  ///
  /// - Returns: nil for no field, and when the page is https and the picture is not.
  func origin(for referer: Referer) -> String? {
    switch referer {
    case .none: nil
    case .own: address.originAsSent
    case .page:
      page.flatMap { page in
        page.isWeb && (address.isSecure || !page.isSecure) ? page.originAsSent : nil
      }
    }
  }
}

extension Validators {
  /// The validators to send, unless they come from a server that dates its response into the future.
  ///
  /// A server must not send such a date (RFC 9110, section 8.8.2.1), and some answer 304 to it for ever.
  func believable(at now: Date) -> Validators {
    guard let lastModified, let date = FieldDate.date(lastModified), date > now else { return self }
    return Validators()
  }
}

/// The entity tags of servers that mark them for a compressed body (RFC 9110, section 8.8.3.3).
enum EntityTag {
  /// The ends of such tags, by Apache and Jetty.
  private static let marks = ["--gzip", "-gzip", ";gzip", "-br", "-zstd", "-deflate"]

  /// The value of `If-None-Match` for a tag: also the tag of the body without compression, if the tag has a mark.
  ///
  /// Apache compares only the latter, so that it would send an unchanged body each time.
  static func sent(_ tag: String) -> String {
    guard tag.utf8.last == UInt8(ascii: "\"") else { return tag }
    let text = tag.dropLast()
    guard let mark = marks.first(where: text.hasSuffix) else { return tag }
    return "\(tag), \(text.dropLast(mark.count))\""
  }
}
