package import Scenes

/// A place on the terminal in which a picture is drawn, and drawn again as a better one comes.
///
/// The cursor is left at the beginning of the line under it, where text may follow. All moves are
/// relative, so that they hold while the screen scrolls. A place that has left the screen, or that
/// the terminal has wrapped anew since, is left behind: the picture is drawn once more below.
package final class PictureArea {
  /// What is on the screen.
  private struct Drawn {
    var size: CellSize
    var imageID: UInt32?
    var windowColumns: Int
    /// What the console had written when it was drawn.
    var linesWritten: Int
  }

  private let console: Console
  private let encoder: PictureEncoder
  private let rowsKept: Int
  private let window: () -> TerminalWindow
  private var drawn: Drawn?

  /// Takes where to draw and how, how many of the window's lines are kept for text, and what tells
  /// the window as it is at the moment.
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

  /// The pixels that a picture has room for; decoding more is in vain.
  package var room: PixelSize {
    let window = window()
    let (box, cell) = (box(in: window), encoder.graphics.cell(in: window))
    return PixelSize(width: box.columns * cell.width, height: box.rows * cell.height)
  }

  /// Draws a picture, in the place of the one before.
  ///
  /// - Parameters:
  ///   - picture: The pixels.
  ///   - natural: The size of the original, if it is known: nothing is drawn larger than that.
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

  /// Whether the first line of the place is still on the screen where it was.
  private func isWithinReach(_ drawn: Drawn, in window: TerminalWindow) -> Bool {
    window.columns == drawn.windowColumns && drawn.size.rows + linesBelow(drawn) < window.rows
  }

  /// Text under the place keeps its lines: then the new picture gets no more than the old one had.
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
    console.draw(bytes + deleting(old))
    note(new, height: height, window: window, linesWritten: old.linesWritten)
  }

  /// What the new picture does not cover is erased first; sixels leave transparent pixels alone.
  private func clearing(_ old: Drawn, for new: EncodedPicture, below: Int) -> String {
    if new.size == old.size, encoder.graphics.graphicsProtocol != .sixel { return "" }
    return below > 0 ? CursorMove.erasing(old.size.rows) : CursorMove.eraseBelow
  }

  /// kitty keeps pictures that others lie over until they are deleted.
  private func deleting(_ old: Drawn) -> [UInt8] {
    old.imageID.map { Array("\u{1B}_Ga=d,d=I,i=\($0),q=2\u{1B}\\".utf8) } ?? []
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
