import Scenes

/// Text in two columns that may be longer than its area, and of which the screen then shows a part.
struct PanelText {
  /// A line: what begins it, and what stands at `column`.
  private struct Line {
    var name = ""
    var text = ""
  }

  private let lines: [Line]
  private let area: CellArea
  private let column: Int
  private let textStyle: TextStyle
  private let nameStyle: TextStyle

  /// The facts of an image: the name of each in a line of its own, and its value below.
  init(_ fields: [DescriptionField], in area: CellArea) {
    (self.area, column) = (area, 2)
    (nameStyle, textStyle) = (.dim, .plain)
    lines = fields.flatMap { field in
      [Line(name: field.name)]
        + Self.lines(of: field.value, columns: area.size.columns - 2).map { Line(text: $0) }
    }
  }

  /// The keys, with what each does beside it.
  init(keys: [(key: String, text: String)], in area: CellArea) {
    let width = min(20, area.size.columns / 3 + 1)
    (self.area, column) = (area, width + 1)
    (nameStyle, textStyle) = (.plain, .dim)
    lines = keys.flatMap { key, text in
      let names = Self.lines(of: key, columns: width)
      let texts = Self.lines(of: text, columns: area.size.columns - width - 1)
      return (0..<max(names.count, texts.count)).map { index in
        Line(
          name: index < names.count ? names[index] : "",
          text: index < texts.count ? texts[index] : ""
        )
      }
    }
  }

  private static func lines(of text: String, columns: Int) -> [String] {
    TextWidth.lines(of: HarmlessText.line(text), columns: max(1, columns))
  }

  /// Whether it is longer than its area.
  var isCut: Bool { lines.count > area.size.rows }

  /// The first line to show after a move from another first line; the last line stays at the bottom.
  func first(after move: ImageGrid.Move?, from first: Int) -> Int {
    let page = max(1, area.size.rows - 1)
    let next =
      switch move {
      case .up: first - 1
      case .down: first + 1
      case .pageUp: first - page
      case .pageDown: first + page
      case .home: 0
      case .end: lines.count
      default: first
      }
    return max(0, min(next, lines.count - area.size.rows))
  }

  /// The lines that are shown, as a note; nil if that are all.
  func note(from first: Int) -> String? {
    guard isCut else { return nil }
    let first = self.first(after: nil, from: first)
    return "lines \(first + 1)–\(first + area.size.rows) of \(lines.count)"
  }

  func draw(on content: inout ScreenContent, from first: Int) {
    let shown = lines.dropFirst(self.first(after: nil, from: first)).prefix(area.size.rows)
    for (row, line) in shown.enumerated() {
      let width = line.text.isEmpty ? area.size.columns : min(column, area.size.columns)
      let name = CellPosition(column: area.column, row: area.row + row)
      content.put(line.name, at: name, width: width, style: nameStyle)
      let text = CellPosition(column: area.column + column, row: area.row + row)
      content.put(line.text, at: text, width: area.size.columns - column, style: textStyle)
    }
  }
}
