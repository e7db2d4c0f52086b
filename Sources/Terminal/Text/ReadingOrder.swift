/// Keeps scripts that are written from the right from taking what stands beside them along.
enum ReadingOrder {
  /// Of no width, and as strong as a letter (UAX #9, LRM).
  private static let leftToRight = "\u{200E}"

  /// A cell of a line, harmless and padded, that stays in its place.
  static func kept(_ cell: String) -> String {
    runsToTheLeft(cell) ? leftToRight + cell + leftToRight : cell
  }

  /// Whether a text has letters of a script that is written from the right.
  private static func runsToTheLeft(_ text: String) -> Bool {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    return text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
        true
      default: false
      }
    }
  }
}
