import Scenes

/// Turns pixels into bytes for a terminal, with libchafa.
package final class PictureEncoder {
  private static let imageIDs: ClosedRange<UInt32> = 1...0xFF_FFFF

  package let graphics: TerminalGraphics
  private let library: ChafaLibrary
  private var nextImageID: UInt32

  /// Nil when libchafa is not installed.
  package convenience init?(_ graphics: TerminalGraphics) {
    // Other programs name pictures on the same terminal: theirs are not to be replaced.
    self.init(graphics, firstImageID: .random(in: Self.imageIDs))
  }

  /// Takes the name of the first kitty picture, too; the next ones count up.
  init?(_ graphics: TerminalGraphics, firstImageID: UInt32) {
    guard let library = ChafaLibrary.shared else { return nil }
    self.graphics = graphics
    self.library = library
    nextImageID = firstImageID
  }

  /// Draws a picture as large as fits into a box, which has at least one cell.
  ///
  /// - Parameters:
  ///   - picture: The pixels.
  ///   - box: The room for it.
  ///   - natural: The size at which it is drawn when that fits; nil to fill the box. Characters are
  ///     too coarse for that: they always fill it.
  ///   - window: The window, which knows the size of its cells.
  /// - Returns: The bytes, and the cells that they fill.
  func encode(
    _ picture: Picture,
    into box: CellSize,
    natural: PixelSize? = nil,
    window: TerminalWindow
  ) -> EncodedPicture {
    let cell = graphics.cell(in: window)
    let isPixels = graphics.graphicsProtocol.isPixels
    let fit = PictureFit(
      box: limited(box, cell: cell),
      cell: cell,
      isEnlarged: natural == nil || !isPixels,
      isRounded: !isPixels
    )
    let size = fit.place(of: natural ?? picture.size)
    let prepared = prepared(picture, size: size, cell: cell)
    let imageID = takeImageID()
    let settings = ChafaCanvas.Settings(
      graphicsProtocol: graphics.graphicsProtocol,
      size: size,
      cell: sentCell(cell, of: prepared, size: size),
      background: graphics.background,
      hasFewSymbols: graphics.hasFewSymbols,
      imageID: imageID
    )
    let bytes = ChafaCanvas(settings, library: library).print(prepared)
    return EncodedPicture(size: size, content: content(bytes, imageID))
  }

  /// What libchafa is to stretch over the place.
  ///
  /// kitty and iTerm2 mix half transparent pixels with what is behind them, sixels and characters
  /// have none. Characters are stretched by less than one of them, where room would be a fringe.
  private func prepared(_ picture: Picture, size: CellSize, cell: PixelSize) -> Picture {
    let background = graphics.background ?? .black
    let place = pixels(of: size, cell: cell)
    switch graphics.graphicsProtocol {
    case .kitty, .iTerm2: return picture.padded(to: place)
    case .sixel: return picture.mixed(into: background).padded(to: place)
    case .symbols: return picture.mixed(into: background)
    }
  }

  private func content(_ bytes: [UInt8], _ imageID: UInt32?) -> EncodedPicture.Content {
    if graphics.graphicsProtocol.isPixels { return .pixels(bytes, imageID: imageID) }
    return .lines(bytes.split(separator: UInt8(ascii: "\n")).map(Array.init))
  }

  /// A box in which a terminal with a limit can draw.
  private func limited(_ box: CellSize, cell: PixelSize) -> CellSize {
    guard let largest = graphics.largest else { return box }
    return CellSize(
      columns: min(box.columns, max(1, largest.width / cell.width)),
      rows: min(box.rows, max(1, largest.height / cell.height))
    )
  }

  /// The pixels that libchafa fills: sixels come in bands of six.
  private func pixels(of size: CellSize, cell: PixelSize) -> PixelSize {
    let height = size.rows * cell.height
    let bands = graphics.graphicsProtocol == .sixel ? max(6, height - height % 6) : height
    return PixelSize(width: size.columns * cell.width, height: bands)
  }

  /// The pixels to send for a cell: no more than there are, for kitty and iTerm2 enlarge
  /// themselves; and no more than libchafa can write, whose numbers have four digits.
  private func sentCell(_ cell: PixelSize, of picture: Picture, size: CellSize) -> PixelSize {
    switch graphics.graphicsProtocol {
    case .sixel, .symbols: return cell
    case .kitty, .iTerm2:
      return PixelSize(
        width: sent(cell.width, picture.width, size.columns),
        height: sent(cell.height, picture.height, size.rows)
      )
    }
  }

  private func sent(_ cell: Int, _ pixels: Int, _ cells: Int) -> Int {
    max(1, min(cell, (pixels + cells - 1) / cells, 9999 / cells))
  }

  private func takeImageID() -> UInt32? {
    guard graphics.graphicsProtocol == .kitty else { return nil }
    defer { nextImageID = nextImageID == Self.imageIDs.upperBound ? 1 : nextImageID + 1 }
    return nextImageID
  }
}
