/// The addresses of a gallery that can be mirrored, served or exported (`Documentation/Mirrors.md`).
package struct GalleryAddress: Sendable, Hashable {
  private static let changesPath = "api/v1/changes"
  private static let treePath = "api/v1/tree/root"
  private static let longestCursor = 1_024

  /// The prefix of all its addresses, which ends with a slash.
  package let base: WebAddress
  /// Whether it is a static site, which has a tree but not a change log.
  package let isStatic: Bool

  package init(base: WebAddress, isStatic: Bool) {
    self.base = base
    self.isStatic = isStatic
  }

  /// Reads the address of the changes, or of the root of the tree; nil for any other address.
  package init?(_ address: WebAddress) {
    guard address.isWeb, address.query == nil else { return nil }
    for (path, isStatic) in [(Self.changesPath, false), (Self.treePath, true)] {
      guard address.text.hasSuffix("/" + path),
        let base = WebAddress(String(address.text.dropLast(path.count)))
      else { continue }
      self.init(base: base, isStatic: isStatic)
      return
    }
    return nil
  }

  /// The address of the changes after a cursor; nil for a malformed cursor.
  package func changes(behind cursor: String?) -> WebAddress? {
    guard let cursor else { return below(Self.changesPath) }
    return Self.isCursor(cursor) ? below("\(Self.changesPath)?since=\(cursor)") : nil
  }

  /// Whether a text can be a cursor: one that an address carries as it is, and of moderate length.
  package static func isCursor(_ text: String) -> Bool {
    (1...longestCursor).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      }
  }

  /// The name of a gallery that tells no title: its host and path, `photos.example/gallery`.
  package var name: String {
    let path = base.path.utf8.last == UInt8(ascii: "/") ? base.path.dropLast() : base.path[...]
    return base.hostKey + path
  }

  /// The address that identifies a gallery and its kind.
  package var address: WebAddress {
    (isStatic ? treeRoot : changes(behind: nil)) ?? base
  }

  package var treeRoot: WebAddress? { below(Self.treePath) }

  package func treeNode(_ hash: SHA256Digest) -> WebAddress? {
    below("api/v1/tree/\(hash.hexadecimal)")
  }

  package func thumbnail(_ hash: SHA256Digest) -> WebAddress? { below("t/\(hash.hexadecimal)") }

  /// The address of several thumbnails in one response, which a static site does not provide.
  package func thumbnails(_ hashes: [SHA256Digest]) -> WebAddress? {
    below("api/v1/thumbnails?hashes=" + hashes.map(\.hexadecimal).joined(separator: ","))
  }

  package func original(_ hash: SHA256Digest) -> WebAddress? { below("o/\(hash.hexadecimal)") }

  package func pack(_ hash: SHA256Digest) -> WebAddress? { below("p/\(hash.hexadecimal)") }

  /// The number of characters of a gallery's token.
  private static let tokenLength = 43

  /// The address of a page that `gallery serve` has printed, with its token as the password of a login.
  ///
  /// A page with `?token=` gives browsers a cookie, and a login is the same for programs. Addresses of feeds stay as they
  /// are, because they take the token themselves. Beside other parameters, the token counts only on a page that the
  /// gallery has. Nil for any other address.
  package static func login(fromPage address: WebAddress) -> WebAddress? {
    let prefix = "token="
    let parameters = (address.query ?? "").split(separator: "&", omittingEmptySubsequences: false)
    let tokens = parameters.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    guard address.isWeb, tokens.count == 1, let token = tokens.first,
      token.utf8.count == tokenLength, !token.contains("."), isCursor(String(token)),
      !address.authorityBytes.contains(UInt8(ascii: "@")),
      !(address.path.split(separator: "/").last ?? "").contains(".")
    else { return nil }
    let others = parameters.filter { !$0.hasPrefix(prefix) }
    guard others.isEmpty || isPage(address.path) else { return nil }
    let query = others.isEmpty ? "" : "?" + others.joined(separator: "&")
    let path = address.path.isEmpty ? "/" : address.path
    let host = address.hostAndPort
    return WebAddress("\(address.scheme)://gallery:\(token)@\(host)\(path)\(query)")
  }

  /// Whether a gallery has a page at such a path, which may begin with any prefix.
  private static func isPage(_ path: String) -> Bool {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = segments.last, !last.isEmpty else { return true }
    let isNumber = last.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    return isNumber
      ? ["feeds", "images"].contains(segments.dropLast().last)
      : ["search", "feeds", "frame"].contains(last)
  }

  private func below(_ path: String) -> WebAddress? { WebAddress(base.text + path) }
}
