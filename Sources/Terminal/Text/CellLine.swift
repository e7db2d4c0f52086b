/// Texts side by side in one line, each in columns of its own.
enum CellLine {
  /// A text, the columns that it may take, and how it looks.
  struct Cell {
    var text: String
    var width: Int
    var style = TextStyle.plain
  }

  /// Puts cells together: what is too long is cut, and words that run to the left stay in their places.
  ///
  /// - Parameters:
  ///   - cells: From left to right, made harmless already.
  ///   - gap: Columns of white space between two cells.
  ///   - canMove: Whether a terminal reads the line. Then a cell that stands behind one whose width
  ///     terminals disagree about is set by the number of its column (ECMA-48, CHA).
  /// - Returns: The line, without spaces at its end.
  static func line(_ cells: [Cell], gap: Int, canMove: Bool) -> String {
    var line = ""
    var column = 0
    let end = cells.lastIndex { !$0.text.isEmpty }.map { $0 + 1 } ?? 0
    for (index, cell) in cells[..<end].enumerated() {
      var text = ReadingOrder.kept(TextWidth.padded(cell.text, to: cell.width))
      if index == end - 1 { text = TextWidth.trimmed(text) }
      line += cell.style.text(text)
      column += cell.width + gap
      guard index < end - 1 else { break }
      let isCertain = !canMove || TextWidth.isCertain(text)
      line += isCertain ? String(repeating: " ", count: gap) : CursorMove.toColumn(column)
    }
    return line
  }
}
