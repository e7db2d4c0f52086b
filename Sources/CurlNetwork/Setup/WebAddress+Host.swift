import Models

extension WebAddress {
  /// What the limits and pauses of a host hold for: its name, and its port unless that is the
  /// scheme's own.
  ///
  /// So http and https of one name are one host: it is one machine, or one farm of them, that asks not
  /// to be asked, and most answer http only to send us to https.
  var hostKey: String {
    var key = hostAndPort
    let ownPort = isSecure ? ":443" : ":80"
    if key.hasSuffix(ownPort) { key.removeLast(ownPort.count) }
    if key.hasSuffix(":") { key.removeLast() }
    return key
  }

  /// What stands before the host, as written; nil when nothing does.
  var userInfo: Substring? {
    let afterScheme = text.drop { $0 != "/" }.drop { $0 == "/" }
    let authority = afterScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let at = authority.lastIndex(of: "@"), at > authority.startIndex else { return nil }
    return authority[..<at]
  }
}
