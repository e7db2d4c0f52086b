import Glibc

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
