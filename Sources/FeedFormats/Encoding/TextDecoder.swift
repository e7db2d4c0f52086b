import Workers

/// Makes UTF-8 of a document as it arrives, whatever it is encoded in.
///
/// Readers see nothing but sound UTF-8. ASCII passes at once; from the first byte beyond it on, a
/// sample is gathered where the encoding has to be told by the text. How the bytes were cut makes
/// no difference.
struct TextDecoder {
  private enum State {
    /// Nothing beyond ASCII has come yet.
    case plain
    case sampling([UInt8])
    case utf8
    case other(Converter)
  }

  private let claims: EncodingClaims
  private var state = State.plain
  private var scrubber = Scrubber()
  private var noted: [DocumentFlaw] = []
  /// How many bytes of the byte order mark are still to come.
  private var markLeft: Int

  /// Makes a decoder for what begins with `opening`, which is still to be decoded.
  init(opening: [UInt8], charset: String?, host: String?) {
    claims = EncodingClaims(opening: opening, charset: charset, host: host)
    markLeft = claims.markLength
    noted = [claims.flaw].compactMap(\.self)
    if let encoding = claims.certain { choose(encoding) }
  }

  /// What was wrong with the text so far.
  var flaws: [DocumentFlaw] {
    var all = noted
    if scrubber.hasMended { all.append(.badUTF8) }
    if scrubber.hasControls { all.append(.controlCharacters) }
    if case .other(let converter) = state, converter.hasReplaced {
      all.append(.badCharacters)
    }
    return all
  }

  /// The next bytes as text.
  mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
    guard markLeft > 0 else { return read(bytes) }
    let passed = min(markLeft, bytes.count)
    markLeft -= passed
    return read(Array(bytes[passed...]))
  }

  /// What is left at the end.
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
      noted.append(.unreadableEncoding(encoding.rawValue))
    }
  }
}
