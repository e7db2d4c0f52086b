import Workers

/// The encoding that a document declares, checked against its text.
///
/// A byte order mark is believed; then the charset of the response, then the declaration. Labels
/// that are unknown are passed over. The claims that follow the first count only where the text
/// refutes it: bytes that are no UTF-8 although they should be, or that are UTF-8 and hardly
/// anything else. A text that declares nothing is UTF-8, or what it looks like.
struct EncodingClaims {
  /// How the text is to be read, and what was wrong about what was said.
  struct Decision: Equatable {
    let encoding: TextEncoding
    var flaw: DocumentFlaw?
  }

  /// The encoding where no look at the text is needed.
  let certain: TextEncoding?
  /// How many bytes the byte order mark takes.
  let markLength: Int
  private let claims: [TextEncoding]
  private let host: String?
  /// An unknown label.
  private let unknown: String?

  /// Looks at the first bytes of a document from `host`.
  init(opening: [UInt8], charset: String?, host: String?) {
    let mark = ByteOrderMark(opening) ?? ByteOrderMark(unmarked: opening)
    let labels = [charset, DeclaredEncoding.label(in: opening)].compactMap(\.self)
    // A text that begins with ASCII is not UTF-16, whatever it declares.
    claims = labels.compactMap { TextEncoding(label: $0) }.map { $0.isWide ? .utf8 : $0 }
    unknown = mark == nil ? labels.first { TextEncoding(label: $0) == nil } : nil
    let first = claims.first
    let isSure = first.map { $0 != .utf8 && !$0.isSingleByte } ?? false
    certain = mark?.encoding ?? (isSure ? first : nil)
    markLength = mark?.length ?? 0
    self.host = host
  }

  /// What is wrong with the labels themselves.
  var flaw: DocumentFlaw? {
    unknown.map { .unknownEncoding(String($0.prefix(Self.longestLabel))) }
  }

  /// Decides by the text from its first byte beyond ASCII on.
  func decision(for sample: [UInt8]) -> Decision {
    let tally = UTF8Tally(sample)
    let claim = claims.first
    if let claim, claim != .utf8 {
      guard tally.faults == 0, tally.characters > 1 else { return Decision(encoding: claim) }
      return Decision(encoding: .utf8, flaw: Self.refuted(claim, by: .utf8))
    }
    if tally.faults <= tally.characters { return Decision(encoding: .utf8) }
    let other = claims.first { $0 != .utf8 }
    let encoding = other ?? EncodingGuess.encoding(of: sample, host: host)
    // Some stray bytes in what is otherwise UTF-8 are mended, and said where they are.
    return Decision(encoding: encoding, flaw: Self.refuted(claim, by: encoding))
  }

  private static func refuted(_ claim: TextEncoding?, by encoding: TextEncoding) -> DocumentFlaw {
    guard let claim else { return .undeclaredEncoding(readAs: encoding.rawValue) }
    return .otherEncoding(than: claim.rawValue, readAs: encoding.rawValue)
  }

  private static let longestLabel = 40
}

/// Finds the encoding that a document declares at its beginning.
enum DeclaredEncoding {
  /// The label in the declaration of XML or in a `meta` element of HTML; nil without any.
  static func label(in opening: [UInt8]) -> String? {
    let bytes = opening.span
    if let start = place(of: "<?xml", in: bytes, from: 0) {
      let end = place(of: "?>", in: bytes, from: start) ?? bytes.count
      return label(after: "encoding", in: bytes.extracting(start..<end))
    }
    guard let page = place(of: "<meta", in: bytes, from: 0) else { return nil }
    return label(after: "charset", in: bytes.extracting(page...))
  }

  private static func label(after word: StaticString, in bytes: Span<UInt8>) -> String? {
    guard let name = place(of: word, in: bytes, from: 0) else { return nil }
    var index = name + word.utf8CodeUnitCount
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return nil }
    index += 1
    while index < bytes.count, bytes[index] <= 0x20 || isQuote(bytes[index]) { index += 1 }
    let start = index
    while index < bytes.count, standsInLabel(bytes[index]) { index += 1 }
    return index > start ? bytes.extracting(start..<index).text : nil
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private static func standsInLabel(_ byte: UInt8) -> Bool {
    byte > 0x20 && !isQuote(byte) && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "?")
      && byte != UInt8(ascii: ";")
  }

  private static func place(of text: StaticString, in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes.beginsIgnoringCase(with: text, at: index) { return index }
      index += 1
    }
    return nil
  }
}
