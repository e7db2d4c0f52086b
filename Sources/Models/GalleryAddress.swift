/// The addresses of a gallery that can be mirrored, served or exported (`Documentation/Mirrors.md`).
///
/// A served gallery may be mirrored in part: one feed, or the images with some words.
package struct GalleryAddress: Sendable, Hashable {
  private static let changesPath = "api/v1/changes"
  private static let treePath = "api/v1/tree/root"
  private static let longestCursor = 1_024
  /// What follows the hash in the entity tag of an original that a gallery sends without its place, so that the hash of
  /// its bytes is another one.
  package static let tagWithoutPlace = "-without-place"

  /// The address that identifies the gallery: the prefix of all its addresses, which ends with a slash, or the page of
  /// its part.
  package let base: WebAddress
  /// Whether it is a static site, which has a tree but not a change log.
  package let isStatic: Bool
  /// The prefix of all its addresses, which ends with a slash.
  private let prefix: String
  /// The feed to which the copy is limited, and the words, escaped as in an address; nil for all.
  private let feed: Substring?
  private let words: Substring?

  /// - Parameters:
  ///   - base: The prefix of its addresses, or the page of a part as `part(ofPage:)` has it.
  ///   - isStatic: Whether it is a static site, which is mirrored as a whole.
  package init(base: WebAddress, isStatic: Bool) {
    self.base = base
    self.isStatic = isStatic
    let part = isStatic ? nil : Self.part(base.text)
    prefix = part?.prefix ?? base.text
    feed = part?.feed
    words = part?.words
  }

  /// Reads the address of the changes, or of the root of the tree; nil for any other address.
  package init?(_ address: WebAddress) {
    guard address.isWeb, address.query == nil else {
      self.init(ofChangesOfPart: address)
      return
    }
    for (path, isStatic) in [(Self.changesPath, false), (Self.treePath, true)] {
      guard address.text.hasSuffix("/" + path),
        let base = WebAddress(String(address.text.dropLast(path.count)))
      else { continue }
      self.init(base: base, isStatic: isStatic)
      return
    }
    return nil
  }

  /// Whether it has the place of another gallery, of which one or both may be parts.
  package func isAtPlace(of other: GalleryAddress) -> Bool {
    let places = [prefix, other.prefix].map { WebAddress($0)?.placeIdentity }
    return places[0] != nil && places[0] == places[1]
  }

  /// Whether it is only a part of a gallery, which has changes but no tree.
  package var isPart: Bool { feed != nil || words != nil }

  /// The id of the feed to which the copy is limited, and the words, as the gallery reads them; nil for all.
  package var feedID: Int64? { feed.flatMap { Int64($0) } }
  package var search: String? {
    words.map { PercentEncoding.decode(String($0).escaping("+", as: " ")) }
  }

  /// The address of the changes after a cursor; nil for a malformed cursor.
  package func changes(behind cursor: String?) -> WebAddress? {
    if let cursor, !Self.isCursor(cursor) { return nil }
    let parameters = [("feed", feed), ("search", words), ("since", cursor.map { $0[...] })]
      .compactMap { name, value in value.map { "\(name)=\($0)" } }
    return below(Self.changesPath + Self.query(parameters))
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

  /// The address that a copy has in place of that of a feed, which is a file of the gallery's machine and so not told.
  ///
  /// It leads to the images of the feed, without the login of the copy. It names the library, so that this does not
  /// mirror its own feed from a copy; its UUID is empty while it is not known.
  package func feed(_ id: Int64, of library: String) -> WebAddress? {
    below("feeds/\(id).json?\(Self.parameter(naming: library))")?.withoutLogin
  }

  /// Whether it is such an address of a feed of a library.
  package static func isUntoldFeed(_ address: WebAddress, of library: String) -> Bool {
    !library.isEmpty && address.query == parameter(naming: library)
  }

  /// The feed and the library that such an address names, wherever it leads; nil for any other address.
  package static func untoldFeed(_ address: WebAddress) -> (id: Int64, library: String)? {
    let (prefix, suffix) = (parameter(naming: ""), ".json")
    let segments = address.path.split(separator: "/")
    guard address.isWeb, let query = address.query, query.hasPrefix(prefix),
      query.utf8.count > prefix.utf8.count, segments.dropLast().last == "feeds",
      let last = segments.last, last.hasSuffix(suffix),
      let id = Int64(last.dropLast(suffix.count))
    else { return nil }
    return (id, PercentEncoding.decode(String(query.dropFirst(prefix.count))))
  }

  private static func parameter(naming library: String) -> String {
    "library=\(PercentEncoding.encode(library))"
  }

  /// The address that a copy has in place of that of an original, which is a file of the gallery's machine.
  package func original(ofImage id: Int64) -> WebAddress? { arriving(ofImage: id)?.withoutLogin }

  /// The same with the login of the copy: there the gallery gives an original even if it has to fetch it first.
  package func arriving(ofImage id: Int64) -> WebAddress? { below("images/\(id)/original") }

  /// Whether an address may stand for that of an original, wherever the gallery was when it told the image.
  package static func isUntoldOriginal(_ address: WebAddress, ofImage id: Int64) -> Bool {
    address.isWeb && address.query == nil && address.path.hasSuffix("/images/\(id)/original")
  }

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

  private func below(_ path: String) -> WebAddress? { WebAddress(prefix + path) }
}

// MARK: A part of a gallery

extension GalleryAddress {
  /// The same gallery, limited to the part whose page has this address; the whole gallery for any other page.
  package func part(ofPage page: WebAddress) -> GalleryAddress {
    guard !isStatic, !isPart, let part = Self.part(page.text), part.prefix == base.text,
      let base = WebAddress(Self.page(of: part))
    else { return self }
    return GalleryAddress(base: base, isStatic: false)
  }

  private typealias Part = (prefix: String, feed: Substring?, words: Substring?)

  /// Reads the address of the changes of a part: `…/api/v1/changes?feed=2`.
  private init?(ofChangesOfPart address: WebAddress) {
    let parameters = Self.parameters(of: address.text[...])
    let names = Set(parameters.map(\.name))
    guard address.isWeb, !names.isEmpty, names.isSubset(of: ["feed", "search"]),
      parameters.allSatisfy({ !$0.value.isEmpty })
    else { return nil }
    let path = address.text.prefix { $0 != "?" }
    guard path.hasSuffix("/" + Self.changesPath) else { return nil }
    let part: Part = (
      String(path.dropLast(Self.changesPath.count)),
      parameters.last { $0.name == "feed" }?.value, parameters.last { $0.name == "search" }?.value
    )
    guard part.feed.map(Self.isNumber) ?? true, let base = WebAddress(Self.page(of: part)) else {
      return nil
    }
    self.init(base: base, isStatic: false)
  }

  /// Reads the address of a page of a part: `…/feeds/2`, `…/search?q=words`, `…/search?feed=2&q=words`; nil for any other.
  ///
  /// How the page sorts its images, and where it begins, is no part.
  private static func part(_ text: String) -> Part? {
    let address = text.prefix { $0 != "#" }
    let path = address.prefix { $0 != "?" }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = segments.last else { return nil }
    let parameters = parameters(of: address)
    let words = parameters.last { $0.name == "q" && !$0.value.isEmpty }?.value
    if last.isEmpty || last == "search" {
      let feed = parameters.last { $0.name == "feed" && isNumber($0.value) }?.value
      return words == nil && feed == nil ? nil : (String(path.dropLast(last.count)), feed, words)
    }
    guard isNumber(last), segments.dropLast().last == "feeds" else { return nil }
    return (String(path.dropLast("feeds/".count + last.count)), last, words)
  }

  /// The address of the page of a part, the same for each way to write it.
  private static func page(of part: Part) -> String {
    guard let words = part.words else { return part.prefix + "feeds/\(part.feed ?? "")" }
    let parameters = [part.feed.map { "feed=\($0)" }, "q=\(words)"].compactMap(\.self)
    return part.prefix + "search" + query(parameters)
  }

  private static func query(_ parameters: [String]) -> String {
    parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
  }

  private static func parameters(of text: Substring) -> [(name: Substring, value: Substring)] {
    let query = text.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
    return query.split(separator: "&").map { parameter in
      let name = parameter.prefix { $0 != "=" }
      return (name, parameter.dropFirst(name.count + 1))
    }
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}
