/// Rows for people and for pipes: aligned and cut to the window there, separated by tabs here.
struct Table {
  /// Columns of white space between two cells.
  private static let gap = 2
  /// What a column that gives way keeps at least.
  private static let leastWidth = 8

  let console: Console
  /// The columns that give way when the window is narrow, one after the other.
  let givingWay: [Int]
  /// Whether the last column is a sentence, which wraps instead of being cut.
  var isLastWrapped = false

  /// Writes rows of equal length.
  func write(_ rows: [[String]]) {
    let rows = rows.map { $0.map(HarmlessText.line) }
    if let columns = console.options.outputColumns {
      writeAligned(rows, columns: columns)
    } else {
      writeSeparated(rows)
    }
  }

  private func writeSeparated(_ rows: [[String]]) {
    var bytes: [UInt8] = []
    for row in rows {
      bytes += row.joined(separator: "\t").utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    console.write(bytes)
  }

  private func writeAligned(_ rows: [[String]], columns: Int) {
    let widths = widths(of: rows, columns: columns)
    for row in rows {
      let sentence = isLastWrapped ? row.last : nil
      let columnCells = zip(row, widths).map { ReadingOrder.kept(TextWidth.padded($0, to: $1)) }
      let cells = columnCells + [sentence ?? ""]
      let line = TextWidth.trimmed(cells.joined(separator: String(repeating: " ", count: Self.gap)))
      let isCut = !isLastWrapped && TextWidth.columns(of: line) > columns
      console.writeLine(isCut ? TextWidth.padded(line, to: columns) : line)
    }
  }

  /// The widths of all columns but one that is wrapped.
  private func widths(of rows: [[String]], columns: Int) -> [Int] {
    guard let first = rows.first else { return [] }
    var widths = first.indices.dropLast(isLastWrapped ? 1 : 0).map { column in
      rows.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
    }
    for column in givingWay {
      let excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - columns
      if excess <= 0 { break }
      let least = min(widths[column], Self.leastWidth)
      widths[column] = max(least, widths[column] - excess)
    }
    return widths
  }
}
