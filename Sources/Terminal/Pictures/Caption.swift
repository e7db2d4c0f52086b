/// Words under pictures, each in its own columns of one line.
enum Caption {
  /// Keeps scripts that run to the left from taking what is beside them along (UAX #9, LRM).
  private static let leftToRight = "\u{200E}"

  /// The line: what is too long is cut, what could act on the terminal is made harmless.
  static func line(_ captions: [String], columns: Int, gap: Int) -> String {
    let cells = captions.map { caption in
      let text = HarmlessText.line(caption)
      let cell = TextWidth.padded(text, to: columns)
      return runsToTheLeft(text) ? leftToRight + cell + leftToRight : cell
    }
    return TextWidth.trimmed(cells.joined(separator: String(repeating: " ", count: gap)))
  }

  /// Whether a text has letters of a script that is written from the right.
  private static func runsToTheLeft(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
        true
      default: false
      }
    }
  }
}
