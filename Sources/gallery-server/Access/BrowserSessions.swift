import Composition
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Workers

/// The sessions of browsers that have opened an address with a token.
///
/// Browsers send a cookie to all ports of a host, so other servers of the host see it. Its value is therefore not the
/// token but a session, which names the token by its hash and ends after `Limits.sessionSeconds`. It opens only this
/// library, and only as a cookie. Its code is made with the server's own token, so sessions need no storage.
struct BrowserSessions: Sendable {
  /// The name of the cookie, different for each library.
  private let name: String
  private let key: [UInt8]

  /// - Parameter serverToken: The server's own token, which only the user and the server can read.
  init(serverToken: String) {
    key = Array(serverToken.utf8)
    // Without libcrypto, no token is valid either.
    let code = (try? Self.code(of: "cookie", key)) ?? "0"
    name = "gallery-\(code.prefix(8))"
  }

  // MARK: Cookies

  /// The field that gives a browser a new session, which also ends when the token with this hash does.
  ///
  /// A link on another site brings the session (`Lax`), but the request of another site for a change does not.
  ///
  /// - Parameters:
  ///   - hash: The hash of the token.
  ///   - path: The common beginning of the paths to which browsers send the cookie.
  ///   - isSecure: Whether browsers send the cookie only over TLS.
  ///   - now: The beginning of the session.
  /// - Returns: The field; nil when libcrypto cannot be loaded.
  func cookie(
    forTokenWithHash hash: String,
    path: String,
    isSecure: Bool,
    now: Date
  ) -> String? {
    let end = Int(now.timeIntervalSince1970) + Limits.sessionSeconds
    let content = "\(end).\(hash)"
    guard let code = try? Self.code(of: "session \(content)", key) else { return nil }
    return "\(name)=\(content).\(code); Path=\(path); HttpOnly; SameSite=Lax; "
      + "Max-Age=\(Limits.sessionSeconds)" + (isSecure ? "; Secure" : "")
  }

  /// The session in a request's cookie.
  func session(in request: Request) -> String? {
    for field in request.headers[values: .cookie] {
      for pair in field.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        let found = parts.first?.trimmingPrefix(while: \.isWhitespace)
        if parts.count == 2, found.map(String.init) == name { return String(parts[1]) }
      }
    }
    return nil
  }

  // MARK: Sessions

  /// A session that has not ended.
  struct Open: Equatable {
    /// The hash of its token, which may have been removed.
    var tokenHash: String
    /// Whether so much of its time has passed that the browser should get a new one.
    var isOld: Bool
  }

  /// Checks a session; nil for one that has ended, or that is not of this library.
  func open(_ session: String, now: Date) -> Open? {
    let parts = session.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let end = Int(parts[0]),
      let code = try? Self.code(of: "session \(parts[0]).\(parts[1])", key),
      Self.isEqual(Array(code.utf8), Array(parts[2].utf8))
    else { return nil }
    let left = end - Int(now.timeIntervalSince1970)
    guard left > 0 else { return nil }
    return Open(tokenHash: String(parts[1]), isOld: left < Limits.sessionSeconds / 2)
  }

  /// The time from which a browser gets a new session for one that is open.
  func renewal(of session: String) -> Date? {
    session.split(separator: ".").first.flatMap { Int($0) }
      .map { Date(timeIntervalSince1970: Double($0 - Limits.sessionSeconds / 2)) }
  }

  /// The HMAC-SHA-256 of a text, in hexadecimal digits.
  static func code(of text: String, _ key: [UInt8]) throws(StoreError) -> String {
    try CompositionRoot.messageCode(of: Array(text.utf8), key: key)
      .map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
  }

  /// Compares without a branch on a byte, so that the time does not reveal how many bytes match.
  static func isEqual(_ code: [UInt8], _ other: [UInt8]) -> Bool {
    code.count == other.count && zip(code, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
