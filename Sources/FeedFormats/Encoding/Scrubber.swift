/// Makes valid UTF-8 from bytes that claim to be UTF-8, as they arrive.
///
/// It reads stray bytes, such as a pasted apostrophe, as windows-1252, which is nearly always right.
/// Incomplete characters become U+FFFD. Control characters, which XML does not allow, become spaces.
/// Those from U+0080 to U+009F become the characters of windows-1252. Text that needs no change
/// passes without a copy.
struct Scrubber {
  private var carried: [UInt8] = []
  /// Whether any bytes were not UTF-8.
  private(set) var hasMended = false
  /// Whether there were control characters.
  private(set) var hasControls = false

  /// Returns the next bytes as valid UTF-8.
  mutating func scrub(_ bytes: [UInt8]) -> [UInt8] {
    let input = carried.isEmpty ? bytes : carried + bytes
    carried = []
    let clean = input.withUnsafeBytes { Self.clean($0, from: 0) }
    if clean == input.count { return input }
    var output = Array(input[..<clean])
    output.reserveCapacity(input.count + input.count / 8)
    mend(input, from: clean, into: &output)
    return output
  }

  private mutating func mend(_ input: [UInt8], from start: Int, into output: inout [UInt8]) {
    var index = start
    while index < input.count {
      index = mendOne(input.span, at: index, into: &output)
      guard carried.isEmpty else { return }
      let next = input.withUnsafeBytes { Self.clean($0, from: index) }
      output += input[index..<next]
      index = next
    }
  }

  /// Writes the replacement for invalid bytes or a control character, and returns the offset after them.
  private mutating func mendOne(
    _ bytes: Span<UInt8>,
    at index: Int,
    into output: inout [UInt8]
  ) -> Int {
    guard bytes[index] >= 0x80 else {
      // The separator of a JSON sequence is not part of its documents (RFC 7464, section 2.2).
      hasControls = hasControls || bytes[index] != 0x1E
      output.append(0x20)
      return index + 1
    }
    switch UTF8Form.unit(in: bytes, at: index) {
    case .character(let length):
      // U+FFFE and U+FFFF are not characters, and XML does not allow them.
      if length == 2 {
        output += Windows1252.utf8(bytes[index + 1])
      } else {
        output += Self.unknown
      }
      return index + length
    case .broken(let length):
      hasMended = true
      output += Self.unknown
      return index + length
    case .stray:
      hasMended = true
      output += Windows1252.utf8(bytes[index])
      return index + 1
    case .incomplete:
      carried.append(bytes.extracting(index...))
      return bytes.count
    }
  }

  private static let unknown: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// The first offset at or after `start` with bytes that need mending.
  private static func clean(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      while index + 8 <= bytes.count,
        isPlain(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      {
        index += 8
      }
      guard index < bytes.count else { break }
      let byte = bytes[index]
      if byte < 0x80 {
        if byte < 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { return index }
        index += 1
      } else if let length = soundCharacter(bytes, at: index) {
        index += length
      } else {
        return index
      }
    }
    return bytes.count
  }

  /// Whether eight bytes are ASCII without control characters.
  private static func isPlain(_ word: UInt64) -> Bool {
    (word | (word &- 0x2020_2020_2020_2020)) & 0x8080_8080_8080_8080 == 0
  }

  /// The length of the character at `index`; nil when XML does not allow it.
  private static func soundCharacter(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int? {
    let span = Span<UInt8>(_unsafeElements: bytes.bindMemory(to: UInt8.self))
    guard case .character(let length) = UTF8Form.unit(in: span, at: index) else { return nil }
    if length == 2, bytes[index] == 0xC2, bytes[index + 1] < 0xA0 { return nil }
    if bytes[index] == 0xEF, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE { return nil }
    return length
  }
}

/// The structure of characters in UTF-8.
enum UTF8Form {
  enum Unit: Equatable {
    /// A complete character of this many bytes.
    case character(Int)
    /// The first bytes of a character whose rest is missing, and how many they are.
    case broken(Int)
    /// The beginning of a character at the end of the bytes.
    case incomplete
    /// A byte that does not begin a character.
    case stray
  }

  /// The unit at `start`, where a byte beyond ASCII is.
  static func unit(in bytes: Span<UInt8>, at start: Int) -> Unit {
    let lead = bytes[start]
    let length = length(lead: lead)
    guard length > 1 else { return .stray }
    var seen = 1
    while seen < length {
      guard start + seen < bytes.count else { return .incomplete }
      guard continues(bytes[start + seen], lead: seen == 1 ? lead : 0) else { break }
      seen += 1
    }
    // Half of a UTF-16 surrogate pair, which some programs write for characters beyond U+FFFF.
    if seen == length, lead == 0xED, bytes[start + 1] >= 0xA0 { return .broken(length) }
    if seen == length { return .character(length) }
    return seen == 1 ? .stray : .broken(seen)
  }

  private static func length(lead: UInt8) -> Int {
    switch lead {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  /// Whether a byte can follow a first byte.
  ///
  /// After some first bytes fewer values are allowed, so that every character has only one form.
  private static func continues(_ byte: UInt8, lead: UInt8) -> Bool {
    switch lead {
    case 0xE0: byte >= 0xA0 && byte <= 0xBF
    case 0xF0: byte >= 0x90 && byte <= 0xBF
    case 0xF4: byte >= 0x80 && byte <= 0x8F
    default: byte >= 0x80 && byte <= 0xBF
    }
  }
}

/// The code page for bytes without a known encoding.
enum Windows1252 {
  /// The character of a byte beyond ASCII, in UTF-8.
  static func utf8(_ byte: UInt8) -> [UInt8] {
    let value = UInt32(byte)
    let scalar = CharacterReference.windows1252[value] ?? (value < 0xA0 ? "\u{FFFD}" : nil)
    return Array((scalar ?? Unicode.Scalar(byte)).utf8)
  }
}
