package import Scenes
package import Workers

/// Pictures in rows and columns, with a line of text below each.
package final class PictureGrid {
  /// A picture of the grid with its caption.
  package struct Item {
    /// The picture; nil to show a note instead.
    package var picture: Picture?
    package var caption: String

    package init(picture: Picture?, caption: String) {
      self.picture = picture
      self.caption = caption
    }
  }

  private let console: Console
  private let encoder: PictureEncoder
  private let missingNote: String
  private let window: () -> TerminalWindow

  /// Makes a grid.
  ///
  /// - Parameters:
  ///   - console: The console to draw on.
  ///   - encoder: The encoder for pictures.
  ///   - missingNote: The note for a missing picture.
  ///   - window: Returns the current window.
  package init(
    console: Console,
    encoder: PictureEncoder,
    missingNote: String,
    window: @escaping () -> TerminalWindow
  ) {
    self.console = console
    self.encoder = encoder
    self.missingNote = missingNote
    self.window = window
  }

  /// The largest size in pixels that a picture can have.
  package var room: PixelSize {
    let window = window()
    let (tile, cell) = (layout(in: window).tile, encoder.graphics.cell(in: window))
    return PixelSize(width: tile.columns * cell.width, height: tile.rows * cell.height)
  }

  /// The number of pictures in a row.
  package var countPerRow: Int { layout(in: window()).count }

  /// The number of pictures that fit into the window at once, when it keeps some lines free.
  package func countPerPage(rowsKept: Int) -> Int {
    let window = window()
    return layout(in: window).pageCount(in: window, rowsKept: rowsKept)
  }

  /// Writes rows from top to bottom; each row uses the current size of the window.
  package func write(_ items: [Item]) {
    var rest = items[...]
    while !rest.isEmpty {
      let window = window()
      let layout = layout(in: window)
      writeRow(rest.prefix(layout.count), layout: layout, window: window)
      rest = rest.dropFirst(layout.count)
    }
  }

  private func layout(in window: TerminalWindow) -> GridLayout {
    GridLayout(window: window, cell: encoder.graphics.cell(in: window))
  }

  private func writeRow(_ items: ArraySlice<Item>, layout: GridLayout, window: TerminalWindow) {
    let pictures = items.enumerated().map { index, item in
      PictureRow.Item(
        column: layout.column(index),
        picture: encoded(item.picture, layout: layout, window: window)
      )
    }
    let row = PictureRow(items: pictures, rows: layout.tile.rows)
    let captions = CellLine.line(
      items.map { .init(text: HarmlessText.line($0.caption), width: layout.tile.columns) },
      gap: GridLayout.gap,
      canMove: console.isTerminal
    )
    console.draw(row.bytes + Array((captions + "\n\n").utf8))
  }

  private func encoded(
    _ picture: Picture?,
    layout: GridLayout,
    window: TerminalWindow
  ) -> EncodedPicture {
    guard let picture else { return PictureFrame.frame(layout.tile, note: missingNote) }
    return encoder.encode(picture, into: layout.tile, natural: picture.size, window: window)
  }
}

/// The division of a window into tiles for pictures, with a caption below each.
struct GridLayout: Equatable {
  /// Columns of white space between two tiles.
  static let gap = 2
  /// A caption, and an empty line after it.
  static let textRows = 2
  /// The width of a window below which tiles are narrower, in columns.
  private static let narrow = 60
  /// The aspect ratio of a tile, which is that of most photographs.
  private static let shape = (width: 3, height: 2)

  /// The number of tiles in a row.
  let count: Int
  /// The size of a tile.
  let tile: CellSize

  init(window: TerminalWindow, cell: PixelSize) {
    // The minimum width of a tile, unless the window is narrower.
    let leastColumns = window.columns < Self.narrow ? 18 : 24
    count = max(1, (window.columns + Self.gap) / (leastColumns + Self.gap))
    let columns = max(1, (window.columns - (count - 1) * Self.gap) / count)
    let height = columns * cell.width * Self.shape.height / Self.shape.width
    let rows = (height + cell.height / 2) / cell.height
    // The captions and the next prompt must fit on the screen as well.
    tile = CellSize(columns: columns, rows: max(1, min(rows, window.rows - Self.textRows - 1)))
  }

  /// The number of tiles that fit into a window at once, when it keeps some lines free.
  func pageCount(in window: TerminalWindow, rowsKept: Int) -> Int {
    count * max(1, (window.rows - rowsKept) / (tile.rows + Self.textRows))
  }

  /// The first column of a tile.
  func column(_ index: Int) -> Int { index * (tile.columns + Self.gap) }
}

/// A frame with a note, which replaces a missing picture.
enum PictureFrame {
  /// Makes a frame with a note in it; only the note when there is no room for a frame.
  static func frame(_ size: CellSize, note: String) -> EncodedPicture {
    let lines = size.rows < 3 || size.columns < 3 ? plain(size, note) : framed(size, note)
    return EncodedPicture(size: size, content: .lines(lines.map { Array($0.utf8) }))
  }

  private static func plain(_ size: CellSize, _ note: String) -> [String] {
    (0..<size.rows).map { TextWidth.padded($0 == 0 ? note : "", to: size.columns) }
  }

  private static func framed(_ size: CellSize, _ note: String) -> [String] {
    let inner = size.columns - 2
    let bar = String(repeating: "─", count: inner)
    let middle = (size.rows - 2) / 2
    let lines = (0..<(size.rows - 2)).map { row in
      "│" + (row == middle ? centred(note, inner) : String(repeating: " ", count: inner)) + "│"
    }
    return ["┌" + bar + "┐"] + lines + ["└" + bar + "┘"]
  }

  private static func centred(_ note: String, _ columns: Int) -> String {
    let left = max(0, (columns - TextWidth.columns(of: note)) / 2)
    return TextWidth.padded(String(repeating: " ", count: left) + note, to: columns)
  }
}

/// Pictures side by side, aligned at the bottom.
struct PictureRow {
  struct Item {
    /// Its first column.
    var column: Int
    var picture: EncodedPicture
  }

  /// The pictures from left to right; they do not overlap.
  let items: [Item]
  /// The number of rows, which is at least that of the tallest picture.
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
