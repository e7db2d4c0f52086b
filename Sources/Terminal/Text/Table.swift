/// Rows for people and for pipes: aligned and fitted to the window there, separated by tabs here.
struct Table {
  /// A step that makes a table narrower, as far as the window asks for it.
  enum Step {
    /// Cuts a column, down to so many columns of the window.
    case narrow(Int, to: Int)
    case leaveOut(Int)
  }

  /// Columns of white space between two cells.
  private static let gap = 2

  let console: Console
  /// What stands over the columns, on a terminal only.
  var headings: [String] = []
  /// The steps, in the order in which they are taken.
  let steps: [Step]
  /// The column that tells what went wrong.
  var problemColumn: Int?

  /// Writes rows of equal length; nothing when there are none.
  ///
  /// - Returns: The rows of which the window does not show all that went wrong.
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

  /// The columns that are shown, and their widths; a column without a word is left out.
  ///
  /// Where all steps are not enough, the columns at the end get what is left.
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
