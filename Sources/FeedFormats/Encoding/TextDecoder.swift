import Glibc
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

/// One conversion of a text to UTF-8 by iconv(3), as the text arrives.
///
/// Bytes that stand for nothing become U+FFFD. What belongs to a character whose end has not come
/// yet is kept for the next time; at the end of the text it is dropped.
final class Converter {
  private enum Stop {
    case atEnd
    case outputFull
    case invalid
    case incomplete
  }

  private let handle: iconv_t
  private let unit: Int
  private var carried: [UInt8] = []
  /// Whether any bytes stood for nothing.
  private(set) var hasReplaced = false

  /// Makes a converter; nil when the system has no table for the encoding.
  init?(from encoding: TextEncoding) {
    guard let handle = iconv_open("UTF-8", encoding.iconvName), Int(bitPattern: handle) != -1
    else { return nil }
    self.handle = handle
    unit = encoding.unit
  }

  deinit { iconv_close(handle) }

  /// The next bytes in UTF-8.
  func convert(_ bytes: [UInt8]) -> [UInt8] {
    var input = carried + bytes
    var output: [UInt8] = []
    output.reserveCapacity(input.count + input.count / 2)
    let left = input.withUnsafeMutableBytes { convert($0, into: &output) }
    carried = Array(input.suffix(left))
    return output
  }

  /// What the encoding held back until it is known that nothing follows.
  func finish() -> [UInt8] {
    carried = []
    var output: [UInt8] = []
    var nothing = 0
    _ = step(nil, &nothing, into: &output)
    return output
  }

  /// Converts what can be; how many bytes are left over.
  private func convert(
    _ input: UnsafeMutableRawBufferPointer,
    into output: inout [UInt8]
  ) -> Int {
    var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
    var left = input.count
    while left > 0 {
      switch step(&next, &left, into: &output) {
      case .atEnd, .outputFull: continue
      case .incomplete: return left
      case .invalid:
        guard left >= unit else { return left }
        hasReplaced = true
        output += [0xEF, 0xBF, 0xBD]
        next? += unit
        left -= unit
      }
    }
    return 0
  }

  /// Fills one block of output.
  private func step(
    _ next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ left: inout Int,
    into output: inout [UInt8]
  ) -> Stop {
    var stop = Stop.atEnd
    let size = FormatLimits.block
    output += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var place = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
      var room = size
      if iconv(handle, next, &left, &place, &room) == -1 { stop = Self.stop(errno) }
      count = size - room
    }
    return stop
  }

  private static func stop(_ code: Int32) -> Stop {
    switch code {
    case E2BIG: .outputFull
    case EINVAL: .incomplete
    default: .invalid
    }
  }
}
