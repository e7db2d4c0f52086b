package import Models

/// An address whose scheme is mistyped, or what separates it from the host: `htps://example.com`, `http:/example.com`,
/// `https//example.com`, `http://https://example.com`.
package struct MistypedAddress: Sendable, Equatable {
  /// The text up to the host.
  package let beginning: String
  package let meant: WebAddress

  /// The address that was meant, for people to copy; of one with secrets, only the beginning.
  package var suggestion: String { meant.hasSecrets ? "\(meant.scheme)://…" : meant.text }

  /// Reads a text; returns nil for an address without such a mistake, and for what is no address.
  init?(_ text: String) { self.init(text, isInner: false) }

  private init?(_ text: String, isInner: Bool) {
    let name = text.prefix { $0.isASCII && $0.isLetter }
    var separator = text.dropFirst(name.count).prefix { ":;/\\".contains($0) }
    // What follows is a password without a name: `http://:secret@example.com`.
    if separator == "://:" { separator = separator.dropLast() }
    var rest = String(text.dropFirst(name.count + separator.count))
    if separator.contains("\\") { rest = rest.escaping("\\", as: "/") }
    guard !rest.isEmpty,
      let scheme = Self.scheme(of: name.lowercased(), isExact: separator != "://"),
      Self.separates(separator, rest)
    else { return nil }
    let isRight = separator == "://" && scheme == name.lowercased()
    let inner = isInner ? nil : Self.inner(rest)
    guard !isRight || inner != nil, let meant = inner ?? WebAddress("\(scheme)://\(rest)"),
      meant.isWeb
    else { return nil }
    beginning = String(name + separator)
    self.meant = meant.escaped
  }

  /// The address behind another scheme, as in `http://https://example.com`.
  private static func inner(_ text: String) -> WebAddress? {
    if let mistyped = MistypedAddress(text, isInner: true) { return mistyped.meant }
    return WebAddress(text).flatMap { $0.isWeb ? $0 : nil }
  }

  /// The scheme that a word probably means: at most one letter differs, or two of a word that stands before `://`.
  private static func scheme(of word: String, isExact: Bool) -> String? {
    let scheme = word.contains("s") ? "https" : "http"
    let distance = NearestWord.distance(Array(scheme), Array(word))
    return distance <= 1 || distance == 2 && !isExact && word.first == "h" ? scheme : nil
  }

  /// Whether the signs after a scheme were meant to be `://`.
  ///
  /// A path may begin with `http/`, and a title with `HTTP:`.
  private static func separates(_ signs: Substring, _ rest: String) -> Bool {
    let slashes = signs.count { $0 == "/" || $0 == "\\" }
    if slashes > 1 { return true }
    return slashes < signs.count && (slashes == 1 || TypedHost(rest) != nil)
  }
}
