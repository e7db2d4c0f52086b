import Scenes
import Workers

/// The division of an area into tiles with a caption below each, or into lines of text without pictures.
package struct TileLayout: Sendable, Equatable {
  package let area: CellArea
  /// The number of tiles in a row.
  let count: Int
  /// The cells for a picture; nil for lines of text.
  let tile: CellSize?
  /// The lines from one row of tiles to the next.
  let rowHeight: Int
  /// The number of rows of tiles that fit into the area.
  let rows: Int

  /// Divides an area.
  ///
  /// - Parameters:
  ///   - area: The area, of at least one cell.
  ///   - cell: The size of a cell in pixels; nil for lines of text.
  init(area: CellArea, cell: PixelSize?) {
    self.area = area
    guard let cell else {
      (count, tile, rowHeight, rows) = (1, nil, 1, area.size.rows)
      return
    }
    let grid = GridLayout(
      window: TerminalWindow(columns: area.size.columns, rows: area.size.rows),
      cell: cell
    )
    count = grid.count
    tile = grid.tile
    rowHeight = grid.tile.rows + GridLayout.textRows
    // The last row needs no empty line below it.
    rows = max(1, (area.size.rows + 1) / rowHeight)
  }

  /// The number of images that fit into the area.
  package var countPerScreen: Int { count * rows }

  /// The area of a picture and its caption, by the row and the column of the tile on the screen.
  func place(row: Int, column: Int) -> CellArea {
    let width = tile?.columns ?? area.size.columns
    return CellArea(
      column: area.column + column * (width + GridLayout.gap),
      row: area.row + row * rowHeight,
      size: CellSize(columns: width, rows: tile.map { $0.rows + 1 } ?? 1)
    )
  }
}

extension ImageGrid {
  /// Draws the window.
  ///
  /// - Parameters:
  ///   - content: The screen.
  ///   - drawing: The settings for drawing pictures; nil for lines of text.
  func draw(on content: inout ScreenContent, _ drawing: BrowseDrawing?) {
    if let note, total == 0 {
      content.put(note, at: .init(column: layout.area.column, row: layout.area.row))
    }
    for index in visible {
      let first = topRow * layout.count
      let place = layout.place(
        row: (index - first) / layout.count,
        column: (index - first) % layout.count
      )
      guard let image = image(at: index) else { continue }
      if let drawing, let tile = layout.tile {
        drawTile(
          image,
          CellArea(column: place.column, row: place.row, size: tile),
          &content,
          drawing
        )
      }
      drawText(of: image, index == selected, place, &content)
    }
  }

  private func drawText(
    of image: DisplayedImage,
    _ isSelected: Bool,
    _ place: CellArea,
    _ content: inout ScreenContent
  ) {
    let position = CellPosition(column: place.column, row: place.row + place.size.rows - 1)
    let details = layout.tile == nil ? "  \(image.day)  \(image.feed)  \(image.originalMark)" : ""
    content.put(
      TextWidth.trimmed(image.caption + details),
      at: position,
      width: place.size.columns,
      style: isSelected ? .selected : .plain,
      isFilled: isSelected
    )
  }

  /// Draws a picture above its caption, a frame if the picture is missing, or nothing while it is being decoded.
  private func drawTile(
    _ image: DisplayedImage,
    _ tile: CellArea,
    _ content: inout ScreenContent,
    _ drawing: BrowseDrawing
  ) {
    switch drawing.tile(of: image) {
    case .waiting: return
    case .missing:
      let frame = PictureFrame.frame(tile.size, note: Wording.noPicture)
      guard case .lines(let lines) = frame.content else { return }
      for (row, line) in lines.enumerated() {
        let text = String(decoding: line, as: UTF8.self)
        content.put(text, at: .init(column: tile.column, row: tile.row + row), style: .dim)
      }
    case .picture(let picture, let key):
      let size = drawing.cells(of: picture.size, natural: picture.size, in: tile.size)
      var area = tile.centred(size)
      area.row = tile.row + tile.size.rows - size.rows
      content.place(PlacedPicture(key: key, picture: picture, area: area))
    }
  }

  /// The index of the image whose tile contains a position.
  package func index(at position: CellPosition) -> Int? {
    visible.first { index in
      let offset = index - topRow * layout.count
      return layout.place(row: offset / layout.count, column: offset % layout.count)
        .contains(position)
    }
  }
}
