import Scenes

/// A table, aligned and fitted to the window on a terminal, or separated by tabs in a pipe.
struct Table {
  /// A step that makes a table narrower, if it does not fit into the window.
  enum Step {
    /// Narrows a column, but not below a width.
    case narrow(Int, to: Int)
    case leaveOut(Int)
  }

  /// Columns of white space between two cells.
  private static let gap = 2

  let console: Console
  /// The headings of the columns, which only a terminal shows.
  var headings: [String] = []
  /// The steps, in the order of their use.
  let steps: [Step]
  /// The column with problems, which is shown in their style.
  var problemColumn: Int?

  /// Writes rows of equal length; nothing without rows.
  ///
  /// - Returns: The indices of the rows whose problem does not fit into its column.
  @discardableResult
  func write(_ rows: [[String]]) -> [Int] {
    guard !rows.isEmpty else { return [] }
    let rows = rows.map { $0.map(HarmlessText.line) }
    guard let columns = console.options.outputColumns else {
      writeSeparated(rows)
      return []
    }
    return writeAligned(rows, columns: columns)
  }

  private func writeSeparated(_ rows: [[String]]) {
    var bytes: [UInt8] = []
    for row in rows {
      bytes += row.joined(separator: "\t").utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    console.write(bytes)
  }

  private func writeAligned(_ rows: [[String]], columns: Int) -> [Int] {
    let widths = widths(of: rows, columns: columns)
    if !headings.isEmpty {
      console.writeLine(line(headings, widths) { _ in .dim })
    }
    for row in rows {
      console.writeLine(line(row, widths) { $0 == problemColumn ? .problem : .plain })
    }
    guard let problemColumn else { return [] }
    let room = widths.first { $0.column == problemColumn }?.width ?? 0
    return rows.indices.filter { TextWidth.columns(of: rows[$0][problemColumn]) > room }
  }

  private func line(
    _ row: [String],
    _ widths: [(column: Int, width: Int)],
    style: (Int) -> TextStyle
  ) -> String {
    let cells = widths.map { column, width in
      CellLine.Cell(text: row[column], width: width, style: console.style(style(column)))
    }
    return CellLine.line(cells, gap: Self.gap, canMove: true)
  }

  /// The columns to show, and their widths; empty columns are omitted.
  ///
  /// If the steps are not enough, the last columns are cut.
  private func widths(of rows: [[String]], columns: Int) -> [(column: Int, width: Int)] {
    var widths = rows[0].indices.compactMap { column -> (Int, Int)? in
      let width = rows.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
      let heading = headings.isEmpty ? 0 : TextWidth.columns(of: headings[column])
      return width == 0 ? nil : (column, max(width, heading))
    }
    for step in steps {
      let excess = widths.reduce(-Self.gap) { $0 + $1.1 + Self.gap } - columns
      if excess <= 0 { break }
      switch step {
      case .leaveOut(let column): widths.removeAll { $0.0 == column }
      case .narrow(let column, let least):
        guard let index = widths.firstIndex(where: { $0.0 == column }) else { continue }
        widths[index].1 = max(min(widths[index].1, least), widths[index].1 - excess)
      }
    }
    return fitted(widths, columns: columns)
  }

  private func fitted(_ widths: [(Int, Int)], columns: Int) -> [(column: Int, width: Int)] {
    var room = columns
    return widths.compactMap { column, width in
      guard room > 0 else { return nil }
      defer { room -= width + Self.gap }
      return (column, min(width, room))
    }
  }
}

/// A line of texts side by side, each with a width.
enum CellLine {
  /// A text, its width in columns, and its style.
  struct Cell {
    var text: String
    var width: Int
    var style = TextStyle.plain
  }

  /// Joins cells: long texts are cut, and right-to-left scripts stay within their cells.
  ///
  /// - Parameters:
  ///   - cells: The cells from left to right, which must be harmless.
  ///   - gap: Columns of white space between two cells.
  ///   - canMove: Whether the line is for a terminal. The cursor then moves to the column of a cell
  ///     (ECMA-48, CHA) if terminals disagree about the width of the cell before it.
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

/// Keeps right-to-left scripts from reordering the cells beside them.
enum ReadingOrder {
  /// The left-to-right mark, which has no width and the direction of a letter (UAX #9, LRM).
  private static let leftToRight = "\u{200E}"

  /// A padded cell, enclosed in marks if it contains a right-to-left script.
  static func kept(_ cell: String) -> String {
    runsToTheLeft(cell) ? leftToRight + cell + leftToRight : cell
  }

  /// Whether a text has letters of a right-to-left script.
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
