import Scenes
package import Workers

/// The screen of a slide show: a picture in the middle, and no text.
package enum SlideContent {
  /// Makes the content.
  ///
  /// - Parameters:
  ///   - image: The image that is shown; nil before the first.
  ///   - note: Why there is none.
  ///   - drawing: How it is drawn.
  /// - Returns: The content.
  package static func content(
    of image: ImageDisplay?,
    note: String?,
    _ drawing: BrowseDrawing
  ) -> ScreenContent {
    var content = ScreenContent(size: drawing.window.size)
    if let image {
      image.draw(on: &content, area: drawing.slideArea, drawing, isEnlarged: true)
    } else if let note {
      content.put(note, at: .init(column: 0, row: 0))
    }
    return content
  }
}

extension BrowseDrawing {
  /// The whole screen; pixels leave the last line free, because a terminal may scroll behind them.
  fileprivate var slideArea: CellArea {
    let rows = graphics.graphicsProtocol.isPixels ? max(1, window.rows - 1) : window.rows
    return CellArea(column: 0, row: 0, size: CellSize(columns: window.columns, rows: rows))
  }

  /// The room for a slide.
  package var slideRoom: PixelSize {
    PixelSize(
      width: slideArea.size.columns * cell.width,
      height: slideArea.size.rows * cell.height
    )
  }
}
