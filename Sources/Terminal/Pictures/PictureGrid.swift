package import Scenes

/// Pictures in rows and columns, with a line of text under each.
package final class PictureGrid {
  /// One place of the grid.
  package struct Item {
    /// Nil when there is none to show.
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

  /// Takes where to draw and how, what is said in the place of a missing picture, and what tells the
  /// window as it is at the moment.
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

  /// The pixels that a picture has room for; decoding more is in vain.
  package var room: PixelSize {
    let window = window()
    let (place, cell) = (layout(in: window).place, encoder.graphics.cell(in: window))
    return PixelSize(width: place.columns * cell.width, height: place.rows * cell.height)
  }

  /// How many pictures stand side by side.
  package var countPerRow: Int { layout(in: window()).count }

  /// How many pictures the window shows at once, with so many of its lines kept free.
  package func countPerPage(rowsKept: Int) -> Int {
    let window = window()
    return layout(in: window).pageCount(in: window, rowsKept: rowsKept)
  }

  /// Writes rows from top to bottom, each at once; a window that has been resized meanwhile is
  /// divided anew.
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
    let row = PictureRow(items: pictures, rows: layout.place.rows)
    let captions = CellLine.line(
      items.map { .init(text: HarmlessText.line($0.caption), width: layout.place.columns) },
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
    guard let picture else { return PictureFrame.frame(layout.place, note: missingNote) }
    return encoder.encode(picture, into: layout.place, natural: picture.size, window: window)
  }
}
