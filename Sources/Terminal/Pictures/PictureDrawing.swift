import Scenes

/// What a command draws pictures with: a grid for many, places for one after the other.
package struct PictureDrawing {
  /// The lines that `show` writes beside a picture, and the next prompt.
  private static let rowsBesidePicture = 5

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
      rowsKept: Self.rowsBesidePicture,
      window: { terminal.window }
    )
  }
}
