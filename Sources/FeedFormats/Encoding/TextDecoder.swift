import Workers

/// Converts a document to UTF-8 as it arrives, from any encoding.
///
/// Readers receive only valid UTF-8. ASCII passes at once. From the first byte beyond ASCII, the
/// decoder collects a sample if only the text can reveal the encoding. The result does not depend
/// on how the bytes were cut.
struct TextDecoder {
  private enum State {
    /// Only ASCII has arrived so far.
    case plain
    case sampling([UInt8])
    case utf8
    case other(Converter)
  }

  private let claims: EncodingClaims
  private var state = State.plain
  private var scrubber = Scrubber()
  private var noted: [DocumentFlaw] = []
  /// The number of bytes of the byte order mark that are still to be skipped.
  private var markLeft: Int

  /// Makes a decoder for a document that begins with `opening`, which `decode` must still receive.
  init(opening: [UInt8], charset: String?, host: String?) {
    claims = EncodingClaims(opening: opening, charset: charset, host: host)
    markLeft = claims.markLength
    noted = [claims.flaw].compactMap(\.self)
    if let encoding = claims.certain { choose(encoding) }
  }

  /// The flaws of the text so far.
  var flaws: [DocumentFlaw] {
    var all = noted
    if scrubber.hasMended { all.append(.badUTF8) }
    if scrubber.hasControls { all.append(.controlCharacters) }
    if case .other(let converter) = state, converter.hasReplaced {
      all.append(.badCharacters)
    }
    return all
  }

  /// Returns the next bytes as text.
  mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
    guard markLeft > 0 else { return read(bytes) }
    let passed = min(markLeft, bytes.count)
    markLeft -= passed
    return read(Array(bytes[passed...]))
  }

  /// Returns the rest at the end.
  mutating func finish() -> [UInt8] {
    var rest: [UInt8] = []
    if case .sampling(let sample) = state { rest = decide(sample) }
    if case .other(let converter) = state { rest += scrubber.scrub(converter.finish()) }
    return rest
  }

  private mutating func read(_ bytes: [UInt8]) -> [UInt8] {
    switch state {
    case .plain:
      guard let first = bytes.firstIndex(where: { $0 >= 0x80 }) else {
        return scrubber.scrub(bytes)
      }
      state = .sampling([])
      return scrubber.scrub(Array(bytes[..<first])) + read(Array(bytes[first...]))
    case .sampling(var sample):
      sample += bytes
      state = .sampling(sample)
      return sample.count < FormatLimits.encodingSample ? [] : decide(sample)
    case .utf8: return scrubber.scrub(bytes)
    case .other(let converter): return scrubber.scrub(converter.convert(bytes))
    }
  }

  private mutating func decide(_ sample: [UInt8]) -> [UInt8] {
    let decision = claims.decision(for: Array(sample.prefix(FormatLimits.encodingSample)))
    noted += [decision.flaw].compactMap(\.self)
    choose(decision.encoding)
    return read(sample)
  }

  private mutating func choose(_ encoding: TextEncoding) {
    state = .utf8
    if encoding == .utf8 { return }
    if let converter = Converter(from: encoding) {
      state = .other(converter)
    } else {
      noted.append(.unreadableEncoding(encoding.name))
    }
  }
}

/// The encoding that a document declares, checked against its text.
///
/// A byte order mark decides. Next comes the charset of the response, then the declaration in the
/// document. Unknown labels are skipped. A later claim counts only if the text refutes the first
/// one. Many bytes that are not UTF-8 refute a claim of UTF-8. Text that is valid UTF-8, with more
/// than one character beyond ASCII, refutes a claim of a single-byte encoding. A text without a
/// claim is UTF-8, or has the customary encoding of its region.
struct EncodingClaims {
  /// The encoding of the text, and the flaw of its claim.
  struct Decision: Equatable {
    let encoding: TextEncoding
    var flaw: DocumentFlaw?
  }

  /// The encoding, if it is certain without the text.
  let certain: TextEncoding?
  /// The length of the byte order mark in bytes.
  let markLength: Int
  private let claims: [TextEncoding]
  private let host: String?
  /// The flaw of the labels themselves: one of them is unknown.
  let flaw: DocumentFlaw?

  /// Examines the first bytes of a document from `host`.
  init(opening: [UInt8], charset: String?, host: String?) {
    let mark = ByteOrderMark(opening) ?? ByteOrderMark(unmarked: opening)
    let labels = [charset, DeclaredEncoding.label(in: opening)].compactMap(\.self)
    // A text that begins with ASCII is not UTF-16, whatever encoding it declares.
    claims = labels.compactMap { TextEncoding(label: $0) }.map { $0.isWide ? .utf8 : $0 }
    let unknown = mark == nil ? labels.first { TextEncoding(label: $0) == nil } : nil
    flaw = unknown.map { .unknownEncoding(String($0.prefix(Self.longestLabel))) }
    let first = claims.first
    let isSure = first.map { $0 != .utf8 && !$0.isSingleByte } ?? false
    certain = mark?.encoding ?? (isSure ? first : nil)
    markLength = mark?.length ?? 0
    self.host = host
  }

  /// Decides by the text, beginning with its first byte beyond ASCII.
  func decision(for sample: [UInt8]) -> Decision {
    let tally = UTF8Tally(sample)
    let claim = claims.first
    if let claim, claim != .utf8 {
      guard tally.faults == 0, tally.characters > 1 else { return Decision(encoding: claim) }
      return Decision(encoding: .utf8, flaw: Self.refuted(claim, by: .utf8))
    }
    if tally.faults <= tally.characters { return Decision(encoding: .utf8) }
    let other = claims.first { $0 != .utf8 }
    let encoding = other ?? TextEncoding.customary(at: host)
    // UTF-8 with a few stray bytes was handled above; the scrubber mends and reports those.
    return Decision(encoding: encoding, flaw: Self.refuted(claim, by: encoding))
  }

  private static func refuted(_ claim: TextEncoding?, by encoding: TextEncoding) -> DocumentFlaw {
    guard let claim else { return .undeclaredEncoding(readAs: encoding.name) }
    return .otherEncoding(than: claim.name, readAs: encoding.name)
  }

  private static let longestLabel = 40
}

/// Finds the encoding that a document declares at its beginning.
enum DeclaredEncoding {
  /// The label in an XML declaration or in an HTML `meta` element; nil when there is no label.
  static func label(in opening: [UInt8]) -> String? {
    let bytes = opening.span
    if let start = bytes.firstIgnoringCase("<?xml", from: 0) {
      let end = bytes.first("?>", from: start) ?? bytes.count
      return label(after: "encoding", in: bytes.extracting(start..<end))
    }
    guard let page = bytes.firstIgnoringCase("<meta", from: 0) else { return nil }
    return label(after: "charset", in: bytes.extracting(page...))
  }

  private static func label(after word: StaticString, in bytes: Span<UInt8>) -> String? {
    guard let name = bytes.firstIgnoringCase(word, from: 0) else { return nil }
    var index = bytes.endOfSpace(from: name + word.utf8CodeUnitCount)
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
}

/// The share of valid UTF-8 in a text beyond ASCII.
struct UTF8Tally {
  /// The number of characters with more than one byte.
  private(set) var characters = 0
  /// The number of bytes that do not belong to such a character.
  private(set) var faults = 0

  /// Counts the characters and faults; a character that is cut off at the end counts as neither.
  init(_ sample: [UInt8]) {
    let bytes = sample.span
    var index = 0
    while index < bytes.count {
      guard bytes[index] >= 0x80 else {
        index += 1
        continue
      }
      switch UTF8Form.unit(in: bytes, at: index) {
      case .character(let length):
        characters += 1
        index += length
      case .broken, .stray:
        faults += 1
        index += 1
      case .incomplete: index = bytes.count
      }
    }
  }
}
