import Models

extension WebAddress {
  /// What the limits and pauses of a host hold for: its name, and its port unless that is the
  /// scheme's own.
  ///
  /// So http and https of one name are one host: it is one machine, or one farm of them, that asks not
  /// to be asked, and most answer http only to send us to https.
  var hostKey: String {
    let bytes = text.utf8Span.span
    var place = Self.hostAndPort(in: bytes)
    let ownPort: StaticString = isSecure ? ":443" : ":80"
    if Self.ends(bytes.extracting(place), with: ownPort) {
      place = place.dropLast(ownPort.utf8CodeUnitCount)
    }
    if Self.ends(bytes.extracting(place), with: ":") { place = place.dropLast() }
    return Self.lowercased(bytes.extracting(place))
  }

  /// What stands before the host, as written; nil when nothing does.
  ///
  /// Found by bytes, since a combining mark behind a separator makes another character of it.
  var userInfo: Substring? {
    let slash = UInt8(ascii: "/")
    let ends = [slash, UInt8(ascii: "?"), UInt8(ascii: "#")]
    let authority = text.utf8.drop { $0 != slash }.drop { $0 == slash }
      .prefix { !ends.contains($0) }
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    guard let at, at > authority.startIndex else { return nil }
    return Substring(authority[..<at])
  }
}
