/// Control sequences that move the cursor from where it is (ECMA-48, section 8.3), and erase.
///
/// None of them names a line of the screen, so that they hold while it scrolls.
enum CursorMove {
  /// To the first column, so many lines higher, as far as the screen goes.
  static func up(_ lines: Int) -> String { "\r" + sequence(lines, "A") }

  /// To the first column, so many lines lower, as far as the screen goes.
  static func down(_ lines: Int) -> String { "\r" + sequence(lines, "B") }

  static func right(_ columns: Int) -> String { sequence(columns, "C") }

  /// To a column of the line, counted from 0 (CHA).
  static func toColumn(_ column: Int) -> String { sequence(column + 1, "G") }

  /// Makes room for so many lines and the one after them, scrolling where the screen ends; the
  /// cursor, which stands at the beginning of a line, stays on the first.
  static func reserving(_ lines: Int) -> String {
    String(repeating: "\n", count: lines) + up(lines)
  }

  /// Erases all from the cursor to the end of the screen.
  static let eraseBelow = "\u{1B}[J"

  /// Erases so many lines from the cursor's on; the cursor, in the first column, stays.
  static func erasing(_ lines: Int) -> String {
    let erased = Array(repeating: "\u{1B}[2K", count: lines).joined(separator: sequence(1, "B"))
    return erased + up(lines - 1)
  }

  /// Puts the cursor back after bytes that leave it anywhere (DECSC, DECRC).
  static func keeping(_ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}7".utf8) + bytes + Array("\u{1B}8".utf8)
  }

  private static func sequence(_ count: Int, _ final: String) -> String {
    count > 0 ? "\u{1B}[\(count)\(final)" : ""
  }
}
