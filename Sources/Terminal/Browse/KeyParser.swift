/// A key of a terminal, independent of the bytes that encode it.
package enum Key: Sendable, Equatable {
  case character(Character)
  case enter
  case escape
  case backspace
  case up
  case down
  case left
  case right
  case home
  case end
  case pageUp
  case pageDown
  /// A key together with Ctrl, as its lower-case letter.
  case control(Character)
}

/// An input by the user at a terminal.
package enum TerminalInput: Sendable, Equatable {
  case key(Key)
  /// A press of the left button on a cell, counted from 0.
  case click(column: Int, row: Int)
  /// A step of the mouse wheel: 1 is down, -1 is up.
  case wheel(Int)
  /// Text from the clipboard, which must not act as keys.
  case paste(String)
}

/// Finds keys, mouse events and pasted text in the bytes of a terminal, which may arrive in pieces of any size.
///
/// It knows the sequences of xterm and its relatives (xterm, ctlseqs: "PC-Style Function Keys", SGR mouse mode 1006
/// and bracketed paste 2004), and skips all others.
package struct KeyParser {
  /// The maximum number of bytes of a sequence, of an answer of the terminal, and of pasted text.
  private static let longestSequence = 64
  private static let longestString = 4_096
  private static let longestPaste = 4_096
  private static let escape: UInt8 = 0x1B
  private static let endOfPaste = Array("\u{1B}[201~".utf8)

  private var rest: [UInt8] = []
  private var isPasting = false

  package init() {}

  /// Whether the unread bytes begin with an Escape: either the key, or a sequence that has not arrived in full.
  package var isWaiting: Bool { !isPasting && rest.first == Self.escape }

  /// Takes bytes, and returns the inputs that are complete.
  package mutating func take(_ bytes: [UInt8]) -> [TerminalInput] {
    rest += bytes
    var found: [TerminalInput] = []
    while let (input, count) = next() {
      rest.removeFirst(count)
      if let input { found.append(input) }
    }
    return found
  }

  /// Ends the wait after an Escape: returns the key if no byte has followed it, and drops an incomplete sequence.
  package mutating func endWaiting() -> [TerminalInput] {
    guard isWaiting else { return [] }
    defer { rest = [] }
    return rest.count == 1 ? [.key(.escape)] : []
  }

  /// The first input, or nil for bytes to skip, with its length; nil as a whole when more bytes are needed.
  private mutating func next() -> (TerminalInput?, Int)? {
    if isPasting { return paste() }
    guard let first = rest.first else { return nil }
    if first == Self.escape { return sequence() }
    if first < 0x20 || first == 0x7F { return (Self.control(first).map(TerminalInput.key), 1) }
    return character(first)
  }

  private static func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x0D, 0x0A: .enter
    case 0x7F, 0x08: .backspace
    case 1...26: .control(Character(Unicode.Scalar(byte + 0x60)))
    default: nil
    }
  }

  /// A character in UTF-8; bytes that do not form a character are skipped.
  private func character(_ first: UInt8) -> (TerminalInput?, Int)? {
    let length =
      switch first {
      case ..<0x80: 1
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 0
      }
    if length == 0 { return (nil, 1) }
    let continuation = rest.dropFirst().prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }
    if continuation.count < length - 1 {
      return rest.count > continuation.count + 1 ? (nil, continuation.count + 1) : nil
    }
    let text = String(decoding: rest.prefix(length), as: UTF8.self)
    return (text.first.map { .key(.character($0)) }, length)
  }

  // MARK: Sequences

  private mutating func sequence() -> (TerminalInput?, Int)? {
    guard rest.count > 1 else { return nil }
    switch rest[1] {
    case UInt8(ascii: "["): return command()
    case UInt8(ascii: "O"):
      guard rest.count > 2 else { return nil }
      return (Self.key(of: rest[2]).map(TerminalInput.key), 3)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      return string()
    // Two keys that arrive together; Alt with a key sends the same, and has no function here.
    default: return (.key(.escape), 1)
    }
  }

  /// `CSI`, parameters, and a final byte (ECMA-48, section 5.4).
  private mutating func command() -> (TerminalInput?, Int)? {
    let parameters = rest.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
    let length = parameters.count + 3
    guard rest.count >= length else {
      return rest.count > Self.longestSequence ? (nil, rest.count) : nil
    }
    let final = rest[length - 1]
    let text = String(decoding: parameters, as: UTF8.self)
    if final == UInt8(ascii: "~"), text == "200" {
      isPasting = true
      return (nil, length)
    }
    if text.first == "<" { return (Self.mouse(text.dropFirst(), final), length) }
    let key = final == UInt8(ascii: "~") ? Self.key(numbered: text) : Self.key(of: final)
    return (key.map(TerminalInput.key), length)
  }

  /// A text of the terminal itself, such as a late answer to a question, which is skipped.
  ///
  /// It ends with `ESC \`, or with `BEL` as in xterm (ECMA-48, section 5.6); another sequence ends one that breaks off.
  private func string() -> (TerminalInput?, Int)? {
    guard let end = rest.dropFirst(2).firstIndex(where: { $0 == Self.escape || $0 == 0x07 }) else {
      return rest.count > Self.longestString ? (nil, rest.count) : nil
    }
    if rest[end] == 0x07 { return (nil, end + 1) }
    guard rest.count > end + 1 else { return nil }
    return (nil, rest[end + 1] == UInt8(ascii: "\\") ? end + 2 : end)
  }

  private static func key(of final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    default: nil
    }
  }

  /// The keys of the VT220 and of rxvt; a second parameter names the modifiers and is ignored.
  private static func key(numbered text: String) -> Key? {
    switch text.prefix(while: { $0 != ";" }) {
    case "1", "7": .home
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }

  /// `CSI < button ; column ; row M`, or with `m` when the button is released, which is ignored.
  private static func mouse(_ text: Substring, _ final: UInt8) -> TerminalInput? {
    let numbers = text.split(separator: ";").compactMap { UInt16($0) }.map(Int.init)
    guard numbers.count == 3, final == UInt8(ascii: "M"), numbers[1] > 0, numbers[2] > 0 else {
      return nil
    }
    // Shift, Alt and Ctrl are 4, 8 and 16; a drag adds 32.
    switch numbers[0] & ~0b11100 {
    case 0: return .click(column: numbers[1] - 1, row: numbers[2] - 1)
    case 64: return .wheel(-1)
    case 65: return .wheel(1)
    default: return nil
    }
  }

  /// The pasted text up to the sequence that ends it; text that is too long is cut.
  private mutating func paste() -> (TerminalInput?, Int)? {
    let end = rest.indices.first { index in
      rest[index] == Self.escape && rest[index...].starts(with: Self.endOfPaste)
    }
    guard let end else {
      // The last bytes may be the beginning of the sequence that ends the text.
      let surplus = rest.count - Self.longestPaste - Self.endOfPaste.count + 1
      if surplus > 0 { rest.removeSubrange(Self.longestPaste..<Self.longestPaste + surplus) }
      return nil
    }
    isPasting = false
    let text = String(decoding: rest[..<min(end, Self.longestPaste)], as: UTF8.self)
    return (.paste(text), end + Self.endOfPaste.count)
  }
}
