import ArgumentParser
import FoundationEssentials
import Glibc
import Models
import Scenes
import Settings
import Terminal
import Workers

/// A file with feeds, one a line, as people write it or paste it from other documents.
///
/// A comment begins with `#` or `//`, at the start of a line or behind white space. An address may stand in quotes, in a
/// list with dashes or with commas, in a link of Markdown, in a line of `gallery feeds`, also with `--json`, and beside
/// others in its line.
enum FeedList {
  /// The most bytes of a file with feeds.
  private static let mostBytes = 16 << 20
  /// The most bytes of an address or a path in it; longer ones are refused in any case.
  private static let mostBytesOfFeed = 8 << 10

  /// Reads the feeds in a file.
  ///
  /// A list from a pipe may come from a stranger, and a server shows the pictures of each folder that is followed. So
  /// such a list names new folders only in the lines that `gallery feeds` prints.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - followed: Reads the feeds of the library, which is needed only for masked addresses and for pipes.
  /// - Returns: The feeds, in the order of the lines.
  /// - Throws: `ValidationError` when the file cannot be read, when a line is not a feed, or without any feed.
  static func feeds(
    ofFile path: String,
    followed: () async -> [Feed]
  ) async throws -> [ListedFeed] {
    do {
      let (bytes, isPiped) = try bytes(ofFile: path)
      let isMasked = bytes.firstRange(of: Array("***".utf8)) != nil
      let known = isMasked || isPiped ? await followed() : []
      return try feeds(in: bytes, followed: known, isPiped: isPiped)
    } catch let error as ValidationError {
      throw ValidationError("cannot read '\(path)': \(error.message)")
    }
  }

  /// The bytes of a file, and whether they are neither on a disk nor typed on a terminal.
  private static func bytes(ofFile path: String) throws -> ([UInt8], isPiped: Bool) {
    var systemError: ValidationError { .init(String(cString: strerror(errno))) }
    let file =
      path == "-" ? STDIN_FILENO : Glibc.open(HomePath.expanded(path), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw systemError }
    defer { if path != "-" { close(file) } }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= mostBytes {
      let count = read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw systemError }
      if count == 0 { break }
      bytes += piece.prefix(count)
    }
    guard bytes.count <= mostBytes else {
      throw ValidationError("it has more than \(mostBytes) bytes")
    }
    var status = stat()
    let isFile = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    return (bytes, isPiped: !isFile && isatty(file) == 0)
  }

  /// The feeds in the bytes of a file; one whose address is masked is that of `followed` with its id.
  static func feeds(
    in bytes: [UInt8],
    followed: [Feed] = [],
    isPiped: Bool = false
  ) throws -> [ListedFeed] {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw ValidationError("it is in UTF-16; save it in UTF-8")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ValidationError("it is not in UTF-8")
    }
    if let document = document(in: text) {
      throw ValidationError(
        "it is \(document), and not a list of feeds; without --input, 'gallery sync' reads it, also as 'gallery sync -'"
      )
    }
    var feeds: [ListedFeed] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      do {
        let found = try Self.feeds(inLine: line, followed)
        if isPiped { for feed in found { try feed.refuseNewFolder(followed) } }
        feeds += found
      } catch let error as ValidationError {
        throw ValidationError("line \(index + 1): \(error.message)")
      }
    }
    if feeds.isEmpty { throw ValidationError("it names no feed") }
    return feeds
  }

  private static func feeds(inLine line: Substring, _ followed: [Feed]) throws -> [ListedFeed] {
    // Programs of Windows write U+FEFF at the start of a file, and joined files have it inside.
    let whole = line.filter { $0 != "\u{FEFF}" }.trimmed
    if !isComment(whole[...]) {
      if isFile(whole) { return [ListedFeed(text: whole)] }
      if let feeds = try ListedFeed.row(whole, followed) { return feeds }
      if let feeds = try tabulated(whole, followed) { return feeds }
      if let feeds = try linked(whole) { return feeds.map { ListedFeed(text: $0) } }
    }
    let text = withoutComment(whole).trimmed
    // The lines around the texts of a JSON array.
    if text.isEmpty || text.allSatisfy({ "[],".contains($0) }) { return [] }
    if isFile(text) { return [ListedFeed(text: text)] }
    let isArray = text.hasPrefix("[\"") && text.hasSuffix("]")
    let feed = withoutListMarks(isArray ? String(text.dropFirst().dropLast()) : text)
    if let addresses = addresses(feed) { return addresses.map { ListedFeed(text: $0) } }
    let words = words(of: feed)
    if words.count > 1, isAddress(words[0]), !isFile(feed) {
      throw ValidationError(
        "'\(WebAddress.masking(words[0]))' is followed by another text; a comment begins with '#'"
      )
    }
    try check(feed)
    return [ListedFeed(text: feed)]
  }

  /// The addresses of a text that has nothing but several of them, side by side or with commas between them.
  static func addresses(_ text: String) -> [String]? {
    let words = words(of: text)
    return words.count > 1 && words.allSatisfy(isAddress) ? words : nil
  }

  private static func words(of text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).flatMap(separated).map(withoutListMarks)
      .filter { !$0.isEmpty }
  }

  /// What a text is that is not a list of feeds but one document; nil for a list.
  private static func document(in text: String) -> String? {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    let roots = ["?xml", "!doctype", "!--", "opml", "rss", "feed>", "feed ", "rdf:rdf", "html"]
    let word = start.prefix(16).lowercased()
    if roots.contains(where: { word.hasPrefix("<\($0)") }) { return "an XML document or a page" }
    guard start.first == "{" else { return nil }
    return ListedFeed.isRecord(String(start.prefix { !$0.isNewline })) ? nil : "a JSON document"
  }

  /// The feeds in a row of a table of Markdown, and in a row of a spreadsheet with a title before its address; nil for
  /// other lines.
  private static func tabulated(_ line: String, _ followed: [Feed]) throws -> [ListedFeed]? {
    if line.hasPrefix("|"), line.hasSuffix("|"), line.count > 1 {
      let cells = line.dropFirst().dropLast().split(separator: "|").map { String($0).trimmed }
      return try cells.filter { isAddress($0) || $0.hasPrefix("[") }
        .flatMap { try feeds(inLine: $0[...], followed) }
    }
    for separator in [";", ",", "\t"] as [Character] {
      let cells = line.split(separator: separator).map { String($0).trimmed }
      let index = cells.firstIndex(where: isAddress)
      guard let index, index > 0,
        !cells[..<index].contains(where: { $0.contains("//") || $0.contains("#") })
      else {
        continue
      }
      // In a query, the separator belongs to the address.
      let address =
        cells[index].contains("?")
        ? cells[index...].joined(separator: String(separator)) : cells[index]
      try check(address)
      return [ListedFeed(text: address)]
    }
    return nil
  }

  /// The addresses in a line that begins with a link of Markdown; nil for other lines.
  static func linked(_ line: String) throws -> [String]? {
    let item = line.drop { "-*+•0123456789.)! \t".contains($0) }
    guard item.first == "[" else { return nil }
    var (addresses, others, rest): ([String], String, Substring) = ([], "", item)
    while let link = MarkdownLink(in: rest) {
      if isAddress(link.destination) { addresses.append(link.destination) }
      others += rest[..<(rest.firstIndex(of: "[") ?? rest.startIndex)]
      rest = link.rest
    }
    others += withoutComment(String(rest))
    if addresses.isEmpty { return nil }
    if let other = others.split(whereSeparator: \.isWhitespace).first(where: isAddress) {
      throw ValidationError(
        "'\(WebAddress.masking(String(other)))' stands beside a link; write each address in a line of its own"
      )
    }
    for address in addresses { try check(address) }
    return addresses
  }

  /// Refuses an address that cannot be synced, here where its line is known.
  private static func check(_ feed: String) throws {
    guard feed.utf8.count <= mostBytesOfFeed else {
      throw ValidationError("it has a name of more than \(mostBytesOfFeed) bytes")
    }
    switch FeedArguments.feed(named: feed) {
    case .mistyped(let address):
      throw ValidationError(Wording.message(.mistypedAddress(address)).commandLine)
    case .unusable(let address):
      throw ValidationError(Wording.message(.unusableAddress(address)).commandLine)
    default: break
    }
  }

  private static func withoutComment(_ line: String) -> Substring {
    let begin = line.indices.first { index in
      let isBehindText = index != line.startIndex && !line[line.index(before: index)].isWhitespace
      return !isBehindText && isComment(line[index...])
    }
    return line[..<(begin ?? line.endIndex)]
  }

  /// Whether a text is a comment, and not the path of a network drive: `//nas/photos`.
  private static func isComment(_ text: Substring) -> Bool {
    if text.first == "#" { return true }
    guard text.hasPrefix("//") else { return false }
    let rest = text.drop { $0 == "/" }
    guard !rest.isEmpty, !isAddress(rest), let slash = rest.firstIndex(of: "/") else { return true }
    return rest[..<slash].contains(where: \.isWhitespace)
  }

  private static func isAddress(_ text: some StringProtocol) -> Bool {
    let name = text.prefix { $0.isASCII && $0.isLetter }
    let value = text[name.endIndex...].first == "=" ? text[name.endIndex...].dropFirst() : text[...]
    let inner = value.drop { "<(\"'“„‘«".contains($0) }
    return inner.hasPrefix("http://") || inner.hasPrefix("https://")
  }

  /// The addresses that commas or semicolons join without white space; in a query, they belong to the address.
  private static func separated(_ word: Substring) -> [String] {
    var (words, begin): ([String], Substring.Index) = ([], word.startIndex)
    for index in word.indices where ",;".contains(word[index]) {
      let next = word.index(after: index)
      guard isAddress(word[next...]), !word[begin..<index].contains("?") else { continue }
      words.append(String(word[begin..<index]))
      begin = next
    }
    return words + [String(word[begin...])]
  }

  /// A feed without the dash or the star before it, and the comma or semicolon behind it, that make it part of a list.
  private static func withoutListMarks(_ text: String) -> String {
    var rest = text[...]
    for mark in ["- ", "* ", "• "] where rest.hasPrefix(mark) { rest = rest.dropFirst(2) }
    // A number counts as the mark of a list only before an address, because a title may begin with one.
    let item = rest.drop { $0.isASCII && $0.isNumber }
    if item.startIndex > rest.startIndex, item.hasPrefix(". ") || item.hasPrefix(") "),
      isAddress(item.dropFirst(2))
    {
      rest = item.dropFirst(2)
    }
    while let last = rest.last, ",;".contains(last) || last.isWhitespace { rest = rest.dropLast() }
    return String(rest).trimmed
  }

  /// Whether the text is the path of a file, whatever signs it has.
  private static func isFile(_ text: String) -> Bool {
    FileManager.default.fileExists(atPath: HomePath.expanded(text))
  }
}
