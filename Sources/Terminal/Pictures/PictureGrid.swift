package import Scenes

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

  /// The number of pictures that fit into the window at once, without the lines to keep free.
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
  /// The least width of a tile, unless the window is narrower.
  private static let leastColumns = 24
  /// The aspect ratio of a tile, which is that of most photographs.
  private static let shape = (width: 3, height: 2)

  /// The number of tiles in a row.
  let count: Int
  /// The size of a tile.
  let tile: CellSize

  init(window: TerminalWindow, cell: PixelSize) {
    count = max(1, (window.columns + Self.gap) / (Self.leastColumns + Self.gap))
    let columns = max(1, (window.columns - (count - 1) * Self.gap) / count)
    let height = columns * cell.width * Self.shape.height / Self.shape.width
    let rows = (height + cell.height / 2) / cell.height
    // The captions and the next prompt have to fit on the screen as well.
    tile = CellSize(columns: columns, rows: max(1, min(rows, window.rows - Self.textRows - 1)))
  }

  /// The number of tiles that fit into a window at once, without the lines to keep free.
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
