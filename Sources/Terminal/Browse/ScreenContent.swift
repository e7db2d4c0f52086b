import Scenes

/// The content to show on a terminal's screen: characters in cells, and pictures that cover some of them.
package struct ScreenContent: Sendable {
  /// A character with its style; the right half of a wide character has an empty text.
  struct Cell: Sendable, Equatable {
    static let blank = Cell(text: " ", style: .plain)

    var text: String
    var style: TextStyle
  }

  package let size: CellSize
  private(set) var cells: [Cell]
  private(set) var pictures: [PlacedPicture] = []
  /// The position of the cursor; nil to hide it.
  package var cursor: CellPosition?

  package init(size: CellSize) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// The whole screen.
  package var area: CellArea { CellArea(column: 0, row: 0, size: size) }

  func cell(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

  /// Puts a line of text at a position; an ellipsis replaces the part that does not fit into its width.
  ///
  /// - Parameters:
  ///   - text: The text, which need not be harmless.
  ///   - position: The cell of its first character.
  ///   - width: The maximum number of columns; nil for all up to the edge of the screen.
  ///   - style: The style of all of its cells.
  ///   - isFilled: Whether the rest of the width gets the style, too.
  mutating func put(
    _ text: String,
    at position: CellPosition,
    width: Int? = nil,
    style: TextStyle = .plain,
    isFilled: Bool = false
  ) {
    guard (0..<size.rows).contains(position.row), position.column < size.columns else { return }
    let room = min(width ?? size.columns, size.columns - position.column)
    guard room > 0 else { return }
    let text = HarmlessText.line(text)
    let padded = TextWidth.padded(text, to: room)
    let shown = isFilled || TextWidth.columns(of: text) > room ? padded : text
    set(ReadingOrder.kept(shown), at: position, end: position.column + room, style)
  }

  private mutating func set(
    _ text: String,
    at position: CellPosition,
    end: Int,
    _ style: TextStyle
  ) {
    let start = position.row * size.columns
    var column = position.column
    var mark = ""
    for character in text {
      let width = TextWidth.columns(of: String(character))
      if width == 0 {
        // A character without width belongs to the cell before it or, at the start, to the cell after it.
        if column > position.column {
          cells[start + column - 1].text.append(character)
        } else {
          mark.append(character)
        }
        continue
      }
      guard column + width <= end else { return }
      cells[start + column] = Cell(text: mark + String(character), style: style)
      for rest in 1..<max(width, 1) where rest < width {
        cells[start + column + rest] = Cell(text: "", style: style)
      }
      mark = ""
      column += width
    }
  }

  /// Places a picture, which must cover neither another picture nor text that the user needs.
  mutating func place(_ picture: PlacedPicture) { pictures.append(picture) }
}

/// A cell of the screen, counted from 0.
package struct CellPosition: Sendable, Equatable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A rectangle of cells.
package struct CellArea: Sendable, Equatable {
  package var column: Int
  package var row: Int
  package var size: CellSize

  package init(column: Int, row: Int, size: CellSize) {
    self.column = column
    self.row = row
    self.size = size
  }

  var columns: Range<Int> { column..<column + size.columns }
  var rows: Range<Int> { row..<row + size.rows }

  package func contains(_ position: CellPosition) -> Bool {
    columns.contains(position.column) && rows.contains(position.row)
  }

  /// The area of a smaller size in the middle of this one.
  func centred(_ inner: CellSize) -> CellArea {
    CellArea(
      column: column + max(0, (size.columns - inner.columns) / 2),
      row: row + max(0, (size.rows - inner.rows) / 2),
      size: inner
    )
  }
}

/// A picture and its area on the screen.
package struct PlacedPicture: Sendable, Equatable {
  /// Identifies the picture, so that a comparison need not read pixels: pictures with equal keys are equal.
  var key: String
  var picture: Picture
  var area: CellArea

  package static func == (one: PlacedPicture, other: PlacedPicture) -> Bool {
    one.key == other.key && one.area == other.area
  }
}
