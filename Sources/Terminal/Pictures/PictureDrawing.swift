import Scenes

/// What a command draws pictures with: a grid for many, places for one after the other.
package struct PictureDrawing {
  /// The lines that `show` writes about a picture, its path left out, and the next prompt.
  private static let rowsOfText = 3
  /// As long as the path of an original usually is: most of it is a SHA-256.
  private static let pathColumns = 110

  private let console: Console
  private let encoder: PictureEncoder
  private let terminal: PictureTerminal

  /// Asks the terminal; nil when no pictures are to be drawn.
  package init?(on terminal: PictureTerminal, console: Console) {
    guard let graphics = terminal.graphics, let encoder = PictureEncoder(graphics) else {
      return nil
    }
    self.console = console
    self.encoder = encoder
    self.terminal = terminal
  }

  /// A grid in the window as it is at each row.
  package func makeGrid() -> PictureGrid {
    PictureGrid(
      console: console,
      encoder: encoder,
      missingNote: Wording.noPicture,
      window: { terminal.window }
    )
  }

  /// A place for one picture, below what has been written.
  package func makeArea() -> PictureArea {
    PictureArea(
      console: console,
      encoder: encoder,
      rowsKept: Self.rowsKept(in: terminal.window),
      window: { terminal.window }
    )
  }

  /// The lines that are kept for text; half of a window that is too small for that.
  static func rowsKept(in window: TerminalWindow) -> Int {
    let path = (pathColumns + window.columns - 1) / window.columns
    return min(rowsOfText + path, window.rows / 2)
  }
}
