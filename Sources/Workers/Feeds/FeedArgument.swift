import FoundationEssentials
package import Models

/// A feed as the user names it: by id, by address, or by a name without a scheme.
package enum FeedArgument: Sendable, Equatable {
  case id(Int64)
  case address(WebAddress)
  /// A document from a pipe.
  case pipe(WebAddress)
  case name(FeedName)
  /// An address of a kind that cannot be synced.
  case unusable(WebAddress)
  /// An address with a mistake before its host, which is never taken for a path.
  case mistyped(MistypedAddress)

  /// Reads an argument, ignoring the white space around it.
  ///
  /// An address may stand in quotes, in parentheses, in `<…>`, as in other texts (RFC 3986, appendix C), in a link of
  /// Markdown or behind a name (`url=…`), with a comma or a semicolon behind all of it, and may begin with `feed:`.
  /// Digits alone are an id; a file with such a name can be named as `./7`. A hyphen is the document on standard input.
  ///
  /// - Parameters:
  ///   - text: The argument.
  ///   - folder: The folder to which a path is relative.
  ///   - isFolder: Whether a folder exists at an absolute path.
  ///   - fileExists: Whether a file or a folder exists at an absolute path.
  package init(
    _ text: String,
    relativeTo folder: String,
    isFolder: (_ path: String) -> Bool = { _ in false },
    fileExists: (_ path: String) -> Bool
  ) {
    let text = Self.withoutEndOfSentence(text.trimmed)
    if !text.isEmpty, text.utf8.allSatisfy(Self.isDigit), let id = Int64(text) {
      self = .id(id)
    } else if text == "-" {
      self = .pipe(WebAddress(pipe: 1))
    } else if let mistyped = MistypedAddress(Self.unwrapped(text)),
      !FeedName(text, relativeTo: folder, fileExists: fileExists).isThere
    {
      self = .mistyped(mistyped)
    } else if let address = Self.address(text) ?? Self.address(Self.unwrapped(text)) {
      let isUsable = address.isWeb || address.isPiped || address.filePath != nil
      let login = GalleryAddress.login(fromPage: address)
      self =
        isUsable
        ? .address(login ?? Self.complete(address, isFolder)) : .unusable(address)
    } else {
      let name = FeedName(text, relativeTo: folder, isFolder: isFolder, fileExists: fileExists)
      let inner = Self.unwrapped(text)
      if !name.isThere, let share = Self.share(text) {
        self = .unusable(share)
      } else if !name.isThere, inner != text, TypedHost(inner) != nil {
        self = .name(
          FeedName(inner, relativeTo: folder, isFolder: isFolder, fileExists: fileExists)
        )
      } else {
        self = .name(name)
      }
    }
  }

  /// The address of a web document without the signs behind it in a text: a comma, a semicolon, a parenthesis that
  /// closes none in it, and a full stop behind that.
  private static func withoutEndOfSentence(_ text: String) -> String {
    guard text.hasPrefix("http://") || text.hasPrefix("https://"), !text.contains("?") else {
      return text
    }
    var rest = text[...]
    while let last = rest.last {
      let closesNone = last == ")" && rest.count { $0 == ")" } > rest.count { $0 == "(" }
      guard ",;".contains(last) || closesNone || rest.hasSuffix(").") else { break }
      rest = rest.dropLast()
    }
    return String(rest)
  }

  /// The address as a feed has it: escaped, and with a slash at the end of a folder.
  private static func complete(_ address: WebAddress, _ isFolder: (String) -> Bool) -> WebAddress {
    if address.isWeb { return address.escaped }
    guard let path = address.filePath, isFolder(path) else { return address }
    return address.ofFolder ?? address
  }

  private static func address(_ text: String) -> WebAddress? {
    guard let address = WebAddress(text) else { return nil }
    if let subscribed = address.subscribed { return subscribed }
    return isWhole(address) ? address : nil
  }

  /// The text without the signs around an address: `[title](…)`, `<…>`, `<URL:…>`, `(…)`, `url=…`, quotes of any language,
  /// and the comma or semicolon behind them.
  private static func unwrapped(_ text: String) -> String {
    var rest = text[...]
    if text.hasPrefix("[") || text.hasPrefix("!["), let link = MarkdownLink(in: rest),
      link.rest.isEmpty
    {
      rest = link.destination[...]
    }
    while let inner = withoutPair(rest) ?? withoutName(rest) { rest = inner }
    return withoutEndOfSentence(rest.trimmed)
  }

  /// The text inside a pair of signs, behind which a list or a sentence may go on; nil without such a pair.
  private static func withoutPair(_ text: Substring) -> Substring? {
    var rest = text
    while let last = rest.last, ",;.".contains(last) { rest = rest.dropLast() }
    guard rest.count > 2, let first = rest.first, let last = rest.last,
      pairs.contains(where: { $0.first == first && $0.last == last })
    else { return nil }
    rest = rest.dropFirst().dropLast()
    return first == "<" && rest.lowercased().hasPrefix("url:") ? rest.dropFirst(4) : rest
  }

  /// The address behind the name of a setting or of an attribute: `url=https://…`, `href="https://…"`; nil for other texts.
  private static func withoutName(_ text: Substring) -> Substring? {
    let name = text.prefix { $0.isASCII && ($0.isLetter || $0 == "_" || $0 == "-") }
    let rest = text[name.endIndex...]
    let isNamed = rest.first == "=" || rest.first == ":" && name.lowercased() == "url"
    guard !name.isEmpty, isNamed else { return nil }
    let value = Substring(rest.dropFirst().trimmed)
    let address = withoutPair(value) ?? value
    return ["http", "feed:", "file:"].contains(where: address.hasPrefix) ? value : nil
  }

  private static let pairs = [
    "<>", "\"\"", "''", "“”", "„“", "„”", "””", "‘’", "‚‘", "«»", "»«", "‹›", "「」",
    "()",
  ]

  /// The address of a file on a network drive, as Windows and file managers write it; nil for other texts.
  private static func share(_ text: String) -> WebAddress? {
    let path = text.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    guard path.starts(with: "//".utf8), path.count > 2, path[2] != UInt8(ascii: "/") else {
      return nil
    }
    return WebAddress("smb:" + String(decoding: path, as: UTF8.self))
  }

  /// Whether an address is more than a name with a colon.
  private static func isWhole(_ address: WebAddress) -> Bool {
    address.text.dropFirst(address.scheme.count).hasPrefix("://") || address.isFile
      || address.isPiped
  }

  /// The followed feeds that the argument identifies: several if they have the same title, or if the title of one is
  /// the path of another, which has another title.
  package func meant(of feeds: [Feed]) -> [Feed] {
    switch self {
    case .id(let id):
      let feed = feeds.filter { $0.id == id }
      return feed.isEmpty ? Self.titled(String(id), feeds) : feed
    case .address(let address), .pipe(let address):
      let feed = feeds.filter { $0.has(address) }
      // The folder may be missing now.
      guard feed.isEmpty, let folder = address.ofFolder else { return feed }
      return feeds.filter { $0.has(folder) }
    case .unusable, .mistyped: return []
    case .name(let name):
      let pipe = WebAddress.pipe(named: name.text)
      for address in [name.file, name.file.ofFolder, name.web, pipe].compactMap(\.self) {
        let feed = feeds.filter { $0.has(address) }
        if feed.isEmpty { continue }
        guard address.isFile, !name.isSpelledAsPath else { return feed }
        let titled = Self.titled(name.text, feeds)
        return titled.contains(where: feed.contains) ? feed : feed + titled
      }
      // Its path may lead there by `..` or by a link.
      if name.isSpelledAsPath, let feed = feeds.first(where: name.isPath) { return [feed] }
      let titled = Self.titled(name.text, feeds)
      return titled.isEmpty ? Self.titled(Self.unwrapped(name.text), feeds) : titled
    }
  }

  /// The ids of a range such as `3-5`, which may also be a title; nil for other arguments, and for the name of a file.
  package var idsOfRange: [Int64]? {
    guard case .name(let name) = self, !name.isThere, name.text.contains("-") else { return nil }
    return IDList(name.text)?.ids
  }

  /// The arguments for which it stands: the followed feeds of a range of ids, unless a feed has it as its title.
  package func spread(among feeds: [Feed]) -> [FeedArgument] {
    guard let ids = idsOfRange, meant(of: feeds).isEmpty else { return [self] }
    let followed = Set(feeds.map(\.id))
    let named = ids.filter(followed.contains)
    return named.isEmpty ? [self] : named.map(FeedArgument.id)
  }

  /// The feeds with exactly this title, or else those whose title differs only in case and accents.
  private static func titled(_ title: String, _ feeds: [Feed]) -> [Feed] {
    let exact = feeds.filter { $0.title == title }
    if !exact.isEmpty { return exact }
    let folded = LetterFolding.fold(title)
    return feeds.filter { $0.title.map(LetterFolding.fold) == folded }
  }

  /// Whether a folder exists at a path of this machine.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

/// A feed's name without a scheme: a path, a title, or an address whose scheme was omitted.
package struct FeedName: Sendable, Equatable {
  /// The argument.
  package var text: String
  /// The address of the file or folder if it is a path.
  package var file: WebAddress
  /// Whether such a file or folder exists.
  package var isThere: Bool
  /// The web address, if the name begins like a host and no such file exists.
  ///
  /// Its scheme is https, or http for this machine and for private addresses.
  package var web: WebAddress?

  /// Whether it can only be a path, because it begins as no title does: `/`, `./` or `../`.
  package var isSpelledAsPath: Bool {
    text == "." || text == ".." || ["/", "./", "../"].contains(where: text.hasPrefix)
  }

  /// Whether a followed feed is the file or folder of the name, also if one is a link to the other.
  package func isPath(of feed: Feed) -> Bool {
    if [file, file.ofFolder].compactMap(\.self).contains(where: feed.has) { return true }
    guard isThere, let path = file.filePath, let other = feed.address.filePath else { return false }
    return Self.place(of: path) == Self.place(of: other)
  }

  /// The path without links.
  private static func place(of path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }

  package init(
    _ text: String,
    relativeTo folder: String,
    isFolder: (String) -> Bool = { _ in false },
    fileExists: (String) -> Bool
  ) {
    self.text = text
    let file = WebAddress(filePath: text, relativeTo: folder)
    let isPath = !text.isEmpty
    isThere = isPath && file.filePath.map(fileExists) ?? false
    self.file = isPath && file.filePath.map(isFolder) ?? false ? file.ofFolder ?? file : file
    web = isThere ? nil : Self.webAddress(text)
  }

  private static func webAddress(_ text: String) -> WebAddress? {
    guard let host = TypedHost(text), !host.isFileName else { return nil }
    let escaped = text.escaping(" ", as: "%20")
    return WebAddress("\(host.isPrivate ? "http" : "https")://\(escaped)")
  }
}

/// A host at the beginning of an address without a scheme: `example.com`, `localhost:8080`,
/// `[::1]`.
struct TypedHost {
  /// The name in lower case, without port and brackets.
  private let name: String
  private let hasPort: Bool
  /// Whether the text ends after the host.
  private let isAlone: Bool

  /// Reads a text; returns nil if it does not begin like a host.
  ///
  /// A host is `localhost`, an IP address, or a first segment with a dot, and may have a port.
  init?(_ text: String) {
    let segment = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let (name, port) = Self.split(segment)
    let isBracketed = segment.first == "["
    guard port.map(Self.isPort) ?? true, !name.isEmpty,
      isBracketed ? Self.isIPv6(name) : Self.isName(name)
    else { return nil }
    self.name = name
    hasPort = port != nil
    isAlone = segment.count == text.count
  }

  /// Whether it looks like the name of a document rather than a host.
  var isFileName: Bool {
    let last = name.split(separator: ".").last ?? ""
    return isAlone && !hasPort && Self.documentEndings.contains(String(last))
  }

  /// Whether it is this machine or an address of its network (RFC 6890).
  var isPrivate: Bool {
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    if let bytes = Self.ipv4(name) {
      switch (bytes[0], bytes[1]) {
      case (0, _), (10, _), (127, _), (169, 254), (192, 168): return true
      case (100, 64...127), (172, 16...31): return true
      default: return false
      }
    }
    // IPv6: local, unique local and link-local addresses. A colon appears in no host name.
    return name.contains(":")
      && (name == "::1" || name.hasPrefix("fc") || name.hasPrefix("fd") || name.hasPrefix("fe8"))
  }

  /// File name extensions that are not top-level domains.
  private static let documentEndings: Set<String> = [
    "atom", "gz", "htm", "html", "json", "jsonp", "opml", "rdf", "rss", "txt", "xhtml", "xml",
  ]

  /// Splits a segment into the host and its port; the port is nil when no colon precedes it.
  private static func split(_ segment: Substring) -> (name: String, port: Substring?) {
    if segment.first == "[", let end = segment.firstIndex(of: "]") {
      let name = segment[segment.index(after: segment.startIndex)..<end]
      let rest = segment[segment.index(after: end)...]
      return (name.lowercased(), rest.isEmpty ? nil : rest.dropFirst(rest.first == ":" ? 1 : 0))
    }
    guard let colon = segment.lastIndex(of: ":") else { return (segment.lowercased(), nil) }
    return (segment[..<colon].lowercased(), segment[segment.index(after: colon)...])
  }

  private static func isPort(_ text: Substring) -> Bool { UInt16(text).map { $0 > 0 } ?? false }

  private static func isIPv6(_ name: String) -> Bool {
    name.contains(":") && name.utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
  }

  /// Whether the text is `localhost`, or at least two valid labels.
  private static func isName(_ name: String) -> Bool {
    if name == "localhost" { return true }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let last = labels.last ?? ""
    let isAddress = ipv4(name) != nil
    return labels.count > 1
      && labels.allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(isLabelScalar) }
      && (isAddress || last.unicodeScalars.contains { $0.properties.isAlphabetic })
  }

  private static func isLabelScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "_" || scalar.properties.isAlphabetic
      || (scalar.value >= 0x30 && scalar.value <= 0x39)
  }

  private static func ipv4(_ name: String) -> [UInt8]? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { UInt8($0) }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  package var trimmed: String {
    var rest = self[...]
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
