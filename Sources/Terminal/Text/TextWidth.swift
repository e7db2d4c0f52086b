/// The width of text on a terminal.
enum TextWidth {
  /// The maximum width of a text in columns: 2 for wide characters, 0 for combining ones (Unicode, UAX #11).
  ///
  /// Some terminals draw an emoji of several scalars as one character, and others draw each scalar. The result is the
  /// larger width.
  static func columns(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// Whether all terminals give a text the same width.
  static func isCertain(_ text: String) -> Bool {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return true }
    return text.allSatisfy { character in
      columns(of: character) == character.unicodeScalars.map(columns).max()
    }
  }

  /// The number of lines that text takes on a terminal, which wraps long lines.
  static func lines(of bytes: [UInt8], columns: Int) -> Int {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      .reduce(0) { lines, line in
        let width =
          line.count <= columns ? 1 : Self.columns(of: String(decoding: line, as: UTF8.self))
        return lines + max(1, (width + columns - 1) / columns)
      }
  }

  /// A text with an exact width: filled with spaces, or cut with an ellipsis.
  static func padded(_ text: String, to width: Int) -> String {
    let columns = columns(of: text)
    if columns <= width { return text + String(repeating: " ", count: width - columns) }
    return cut(text, to: width)
  }

  /// A text with line breaks between words, where a terminal would break a word.
  ///
  /// A command stays in one line, so that it can be copied. The terminal still breaks what is longer than a line.
  static func wrapped(_ text: String, to columns: Int) -> String {
    guard columns > 0, text.utf8.count > columns else { return text }
    var result = ""
    var column = 0
    for (index, word) in parts(of: text).enumerated() {
      let width = Self.columns(of: String(word))
      if index > 0, column + 1 + width > columns, width <= columns {
        result += "\n"
        column = 0
      } else if index > 0 {
        result += " "
        column += 1
      }
      result += word
      column += width
      if column > columns { column = (column - 1) % columns + 1 }
    }
    return result
  }

  /// The parts of a text between which a line may end: its words, and whole commands.
  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = text.split(separator: " ", omittingEmptySubsequences: false)[...]
    while let word = rest.popFirst() {
      let more = rest.prefix(wordsOfCommand(behind: word, rest))
      parts.append(text[word.startIndex..<(more.last ?? word).endIndex])
      rest = rest.dropFirst(more.count)
    }
    return parts
  }

  /// The most words of a command before its options and quoted words: `sync NEW`.
  private static let mostPlainWords = 2

  /// The number of words behind the first one of a command; 0 behind other words.
  ///
  /// A command stands in quotation marks, or has words in those of a shell, with the last of which it ends here.
  private static func wordsOfCommand(behind word: Substring, _ rest: ArraySlice<Substring>) -> Int {
    if ["'gallery", "'gallery-dl"].contains(word) {
      return rest.firstIndex { $0.contains("'") }.map { $0 - rest.startIndex + 1 } ?? 0
    }
    if ["\"gallery", "\"gallery-dl"].contains(word) { return wordsToDoubleMark(rest) }
    var (length, isQuoted) = (0, false)
    guard word == "gallery" else { return length }
    for (index, word) in rest.enumerated() {
      if isQuoted || word.hasPrefix("-") || word.contains("'") {
        length = index + 1
      } else if length > 0 || index >= mostPlainWords {
        break
      }
      isQuoted = Self.isQuoted(behind: word, isQuoted)
    }
    return isQuoted ? 0 : length
  }

  /// The number of words up to the double quotation mark that ends a command, and that is in no word of a shell.
  private static func wordsToDoubleMark(_ rest: ArraySlice<Substring>) -> Int {
    var marks = ShellMarks()
    for (index, word) in zip(1..., rest) {
      for scalar in word.unicodeScalars {
        if scalar == "\"", !marks.areOpen { return index }
        marks.pass(scalar)
      }
      // A backslash at the end of a word escapes the blank behind it.
      marks = ShellMarks(areOpen: marks.areOpen)
    }
    return 0
  }

  /// Whether a shell is inside quotation marks behind a word, if it was so before the word.
  private static func isQuoted(behind word: Substring, _ wasQuoted: Bool) -> Bool {
    var marks = ShellMarks(areOpen: wasQuoted)
    for scalar in word.unicodeScalars { marks.pass(scalar) }
    return marks.areOpen
  }

  /// The single quotation marks of a shell, while its words are read from left to right.
  private struct ShellMarks {
    var areOpen = false
    private var isEscaped = false

    init(areOpen: Bool = false) { self.areOpen = areOpen }

    mutating func pass(_ scalar: Unicode.Scalar) {
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\", !areOpen {
        isEscaped = true
      } else if scalar == "'" {
        areOpen.toggle()
      }
    }
  }

  /// The lines of a text with line breaks between words, and within those that are longer than a line.
  static func lines(of text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for line in wrapped(text, to: columns).split(separator: "\n") {
      var part = ""
      for character in line {
        if self.columns(of: part) + self.columns(of: character) > columns, !part.isEmpty {
          lines.append(part)
          part = ""
        }
        part.append(character)
      }
      lines.append(part)
    }
    return lines
  }

  /// A text without the spaces at its end.
  static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  private static func cut(_ text: String, to width: Int) -> String {
    var result = ""
    var columns = 0
    for character in text {
      columns += Self.columns(of: character)
      if columns > width - 1 { break }
      result.append(character)
    }
    let filling = max(0, width - 1 - Self.columns(of: result))
    return result + "…" + String(repeating: " ", count: filling)
  }

  /// The width of a character; with the emoji variation selector (VS16) it may be two columns.
  private static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    let sum = scalars.reduce(0) { $0 + columns(of: $1) }
    return scalars.contains("\u{FE0F}") ? max(sum, 2) : sum
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// Whether a scalar has the East Asian width W or F, or is shown as an emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
