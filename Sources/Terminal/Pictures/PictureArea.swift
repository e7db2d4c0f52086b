package import Scenes
package import Workers

/// Makes the grids and areas in which a command draws pictures.
package struct PictureDrawing {
  /// The number of lines that `show` writes about a picture, except its path, and of the next prompt.
  private static let rowsOfText = 3
  /// The usual length of an original's path, most of which is a SHA-256.
  private static let pathColumns = 110

  private let console: Console
  private let encoder: PictureEncoder
  private let terminal: PictureTerminal

  /// Asks the terminal for its graphics; nil when pictures are not drawn.
  package init?(on terminal: PictureTerminal, console: Console) {
    guard let graphics = terminal.graphics, let encoder = PictureEncoder(graphics) else {
      return nil
    }
    self.console = console
    self.encoder = encoder
    self.terminal = terminal
  }

  /// Makes a grid, which follows the size of the window with each row.
  package func makeGrid() -> PictureGrid {
    PictureGrid(
      console: console,
      encoder: encoder,
      missingNote: Wording.noPicture,
      window: { terminal.window }
    )
  }

  /// Makes an area for one picture, below the text written so far.
  package func makeArea() -> PictureArea {
    PictureArea(
      console: console,
      encoder: encoder,
      rowsKept: Self.rowsKept(in: terminal.window),
      window: { terminal.window }
    )
  }

  /// The number of lines to keep for text, which is at most half of the window.
  static func rowsKept(in window: TerminalWindow) -> Int {
    let path = (pathColumns + window.columns - 1) / window.columns
    return min(rowsOfText + path, window.rows / 2)
  }
}

/// An area of the terminal for a picture, which is replaced when a better one arrives.
///
/// The cursor stays at the beginning of the line below the area, where text may follow. All moves are relative, so
/// that they remain right when the screen scrolls. If the area has left the screen, or the window's width has changed,
/// the next picture is drawn below the text instead.
package final class PictureArea {
  /// The picture on the screen.
  private struct Drawn {
    var size: CellSize
    var imageID: UInt32?
    var windowColumns: Int
    /// The console's count of lines when the picture was drawn.
    var linesWritten: Int
  }

  private let console: Console
  private let encoder: PictureEncoder
  private let rowsKept: Int
  private let window: () -> TerminalWindow
  private var drawn: Drawn?

  /// Makes an area.
  ///
  /// - Parameters:
  ///   - console: The console to draw on.
  ///   - encoder: The encoder for pictures.
  ///   - rowsKept: The lines of the window to keep for text.
  ///   - window: Returns the current window.
  package init(
    console: Console,
    encoder: PictureEncoder,
    rowsKept: Int = 3,
    window: @escaping () -> TerminalWindow
  ) {
    self.console = console
    self.encoder = encoder
    self.rowsKept = rowsKept
    self.window = window
  }

  /// The largest size in pixels that a picture can have.
  package var room: PixelSize {
    let window = window()
    let (box, cell) = (box(in: window), encoder.graphics.cell(in: window))
    return PixelSize(width: box.columns * cell.width, height: box.rows * cell.height)
  }

  /// Draws a picture, which replaces the previous one.
  ///
  /// - Parameters:
  ///   - picture: The pixels.
  ///   - natural: The size of the original, which the drawing does not exceed; nil when it is unknown.
  package func draw(_ picture: Picture, natural: PixelSize? = nil) {
    let window = window()
    if let drawn, isWithinReach(drawn, in: window) {
      replace(drawn, by: picture, natural: natural, window: window)
    } else {
      let new = encoder.encode(picture, into: box(in: window), natural: natural, window: window)
      console.draw(row(of: new).bytes)
      note(new, window: window)
    }
  }

  private func box(in window: TerminalWindow) -> CellSize {
    CellSize(columns: window.columns, rows: max(1, window.rows - rowsKept))
  }

  private func row(of picture: EncodedPicture) -> PictureRow {
    PictureRow(items: [.init(column: 0, picture: picture)], rows: picture.size.rows)
  }

  private func linesBelow(_ drawn: Drawn) -> Int { console.linesWritten - drawn.linesWritten }

  /// Whether the first line of the area is still on the screen at its column.
  private func isWithinReach(_ drawn: Drawn, in window: TerminalWindow) -> Bool {
    window.columns == drawn.windowColumns && drawn.size.rows + linesBelow(drawn) < window.rows
  }

  /// Replaces a picture; if there is text below it, the new picture has at most as many rows as the old one.
  private func replace(
    _ old: Drawn,
    by picture: Picture,
    natural: PixelSize?,
    window: TerminalWindow
  ) {
    let below = linesBelow(old)
    var box = box(in: window)
    if below > 0 { box.rows = min(box.rows, old.size.rows) }
    let new = encoder.encode(picture, into: box, natural: natural, window: window)
    let height = below > 0 ? old.size.rows : new.size.rows
    let moves = CursorMove.up(old.size.rows + below) + clearing(old, for: new, below: below)
    var bytes = Array(moves.utf8)
    if below > 0 {
      bytes += row(of: new).overlay + Array(CursorMove.down(height + below).utf8)
    } else {
      bytes += row(of: new).bytes
    }
    // kitty keeps pictures that others cover.
    console.draw(bytes + Array((old.imageID.map(PictureEncoder.deleting) ?? "").utf8))
    note(new, height: height, window: window, linesWritten: old.linesWritten)
  }

  /// Erases the old picture if the new one does not cover it; transparent sixels do not.
  private func clearing(_ old: Drawn, for new: EncodedPicture, below: Int) -> String {
    if new.size == old.size, encoder.graphics.graphicsProtocol != .sixel { return "" }
    return below > 0 ? CursorMove.erasing(old.size.rows) : CursorMove.eraseBelow
  }

  private func note(
    _ new: EncodedPicture,
    height: Int? = nil,
    window: TerminalWindow,
    linesWritten: Int? = nil
  ) {
    drawn = Drawn(
      size: CellSize(columns: new.size.columns, rows: height ?? new.size.rows),
      imageID: new.imageID,
      windowColumns: window.columns,
      linesWritten: linesWritten ?? console.linesWritten
    )
  }
}
