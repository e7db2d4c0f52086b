/// Pictures side by side, aligned at the bottom.
struct PictureRow {
  struct Item {
    /// Its first column.
    var column: Int
    var picture: EncodedPicture
  }

  /// The pictures from left to right; they do not overlap.
  let items: [Item]
  /// The rows of the highest picture, or more.
  let rows: Int

  /// The bytes that draw the pictures.
  ///
  /// They move the cursor from the beginning of a line to the beginning of the line below the pictures.
  /// Pictures of characters need no cursor moves.
  var bytes: [UInt8] {
    let isText = items.allSatisfy { if case .lines = $0.picture.content { true } else { false } }
    if isText { return (0..<rows).flatMap { line($0) + [UInt8(ascii: "\n")] } }
    return Array(CursorMove.reserving(rows).utf8) + overlay + Array(CursorMove.down(rows).utf8)
  }

  /// The bytes that draw the pictures over existing lines; the cursor stays on the first line.
  var overlay: [UInt8] {
    items.flatMap { item in
      let top = rows - item.picture.size.rows
      return Array((CursorMove.down(top) + CursorMove.right(item.column)).utf8)
        + overlay(of: item) + Array(CursorMove.up(top).utf8)
    }
  }

  private func overlay(of item: Item) -> [UInt8] {
    switch item.picture.content {
    case .pixels(let bytes, _): return CursorMove.keeping(bytes)
    case .lines(let lines):
      let next = Array((CursorMove.down(1) + CursorMove.right(item.column)).utf8)
      return Array(lines.joined(separator: next)) + Array(CursorMove.up(lines.count - 1).utf8)
    }
  }

  private func line(_ row: Int) -> [UInt8] {
    var line: [UInt8] = []
    var column = 0
    for item in items {
      guard case .lines(let lines) = item.picture.content else { continue }
      let index = row - (rows - lines.count)
      guard lines.indices.contains(index) else { continue }
      line += Array(repeating: UInt8(ascii: " "), count: max(0, item.column - column))
      line += lines[index]
      column = item.column + item.picture.size.columns
    }
    return line
  }
}

/// Control sequences that move the cursor and erase (ECMA-48, section 8.3).
///
/// All moves between lines are relative, so that they remain right when the screen scrolls.
enum CursorMove {
  /// Moves to the first column, a number of lines up, at most to the top of the screen.
  static func up(_ lines: Int) -> String { "\r" + sequence(lines, "A") }

  /// Moves to the first column, a number of lines down, at most to the bottom of the screen.
  static func down(_ lines: Int) -> String { "\r" + sequence(lines, "B") }

  static func right(_ columns: Int) -> String { sequence(columns, "C") }

  /// Moves to a column of the line, from 0 (CHA).
  static func toColumn(_ column: Int) -> String { sequence(column + 1, "G") }

  /// Makes room for a number of lines and one after them, and scrolls if necessary.
  ///
  /// The cursor, at the beginning of a line, ends on the first of them.
  static func reserving(_ lines: Int) -> String {
    String(repeating: "\n", count: lines) + up(lines)
  }

  /// Erases from the cursor to the end of the screen.
  static let eraseBelow = "\u{1B}[J"

  /// Erases a number of lines, beginning with the cursor's; the cursor stays in the first column.
  static func erasing(_ lines: Int) -> String {
    let erased = Array(repeating: "\u{1B}[2K", count: lines).joined(separator: sequence(1, "B"))
    return erased + up(lines - 1)
  }

  /// Restores the cursor after bytes that may leave it anywhere (DECSC, DECRC).
  static func keeping(_ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}7".utf8) + bytes + Array("\u{1B}8".utf8)
  }

  private static func sequence(_ count: Int, _ final: String) -> String {
    count > 0 ? "\u{1B}[\(count)\(final)" : ""
  }
}
