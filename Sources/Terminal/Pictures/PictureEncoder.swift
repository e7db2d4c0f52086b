import Scenes
import Workers

/// Encodes pictures for a terminal, with libchafa.
package final class PictureEncoder {
  private static let imageIDs: ClosedRange<UInt32> = 1...0xFF_FFFF

  package let graphics: TerminalGraphics
  private let library: ChafaLibrary
  private var nextImageID: UInt32

  /// Makes an encoder; nil when libchafa is not installed.
  package convenience init?(_ graphics: TerminalGraphics) {
    // A random id does not replace pictures of other programs on the same terminal.
    self.init(graphics, firstImageID: .random(in: Self.imageIDs))
  }

  /// Makes an encoder; the first kitty picture has the given id, and later pictures have the next ids.
  init?(_ graphics: TerminalGraphics, firstImageID: UInt32) {
    guard let library = ChafaLibrary.shared else { return nil }
    self.graphics = graphics
    self.library = library
    nextImageID = firstImageID
  }

  /// Encodes a picture, as large as fits into a box.
  ///
  /// - Parameters:
  ///   - picture: The pixels.
  ///   - box: The box of at least one cell.
  ///   - natural: The size of the drawing if it fits; nil to fill the box. Characters are coarse, and always fill the
  ///     box.
  ///   - window: The window, for the size of its cells.
  /// - Returns: The bytes, and the cells that they fill.
  func encode(
    _ picture: Picture,
    into box: CellSize,
    natural: PixelSize? = nil,
    window: TerminalWindow
  ) -> EncodedPicture {
    let size = graphics.cells(of: picture.size, natural: natural, in: box, window: window)
    return encode(picture, filling: size, window: window)
  }

  /// Encodes a picture for a number of cells, which `TerminalGraphics.cells` has computed.
  func encode(_ picture: Picture, filling size: CellSize, window: TerminalWindow) -> EncodedPicture
  {
    let cell = graphics.cell(in: window)
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

  /// The pixels that libchafa stretches over the cells.
  ///
  /// kitty and iTerm2 blend partly transparent pixels; sixels and characters cannot. A picture of
  /// characters is stretched by less than one cell, because a margin would be visible.
  private func prepared(_ picture: Picture, size: CellSize, cell: PixelSize) -> Picture {
    let background = graphics.background ?? .black
    let picture = picture.grounded(on: graphics.background)
    let area = pixels(of: size, cell: cell)
    switch graphics.graphicsProtocol {
    case .kitty, .iTerm2: return picture.padded(to: area)
    case .sixel: return picture.mixed(into: background).padded(to: area)
    case .symbols: return picture.mixed(into: background)
    }
  }

  private func content(_ bytes: [UInt8], _ imageID: UInt32?) -> EncodedPicture.Content {
    if graphics.graphicsProtocol.isPixels { return .pixels(bytes, imageID: imageID) }
    return .lines(bytes.split(separator: UInt8(ascii: "\n")).map(Array.init))
  }

  /// The pixels that libchafa fills; the height of sixels is a multiple of six.
  private func pixels(of size: CellSize, cell: PixelSize) -> PixelSize {
    let height = size.rows * cell.height
    let bands = graphics.graphicsProtocol == .sixel ? max(6, height - height % 6) : height
    return PixelSize(width: size.columns * cell.width, height: bands)
  }

  /// The pixels to send for each cell.
  ///
  /// kitty and iTerm2 enlarge pictures themselves, so the pixels of the picture are enough. libchafa writes numbers of
  /// at most four digits.
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

  /// The sequence that deletes a picture in kitty.
  static func deleting(_ imageID: UInt32) -> String {
    "\u{1B}_Ga=d,d=I,i=\(imageID),q=2\u{1B}\\"
  }

  private func takeImageID() -> UInt32? {
    guard graphics.graphicsProtocol == .kitty else { return nil }
    defer { nextImageID = nextImageID == Self.imageIDs.upperBound ? 1 : nextImageID + 1 }
    return nextImageID
  }
}

extension TerminalGraphics {
  /// The cells that a picture fills in a box; with a natural size, it is not enlarged beyond that.
  func cells(
    of picture: PixelSize,
    natural: PixelSize?,
    in box: CellSize,
    window: TerminalWindow
  ) -> CellSize {
    let cell = cell(in: window)
    let fit = PictureFit(
      box: limited(box, cell: cell),
      cell: cell,
      isEnlarged: natural == nil || !graphicsProtocol.isPixels,
      isRounded: !graphicsProtocol.isPixels
    )
    return fit.cells(of: natural ?? picture)
  }

  /// A box within the terminal's limit.
  private func limited(_ box: CellSize, cell: PixelSize) -> CellSize {
    guard let largest else { return box }
    return CellSize(
      columns: min(box.columns, max(1, largest.width / cell.width)),
      rows: min(box.rows, max(1, largest.height / cell.height))
    )
  }
}

/// A picture as bytes for a terminal, and the cells that it fills.
struct EncodedPicture: Equatable {
  enum Content: Equatable {
    /// A line of characters for each row, each with all columns of the picture.
    case lines([[UInt8]])
    /// Pixels at the cursor, which may end up anywhere; those for kitty have an id.
    case pixels([UInt8], imageID: UInt32?)
  }

  var size: CellSize
  var content: Content

  var imageID: UInt32? {
    if case .pixels(_, let imageID) = content { imageID } else { nil }
  }
}

/// Fits a picture into a box of character cells.
struct PictureFit {
  let box: CellSize
  /// The size of a cell.
  let cell: PixelSize
  /// Whether a small picture is enlarged to fill the box.
  var isEnlarged = true

  /// Whether to omit a row or column of cells that is less than half filled.
  var isRounded = false

  /// The cells that a picture touches when it keeps its shape and is as large as possible.
  func cells(of picture: PixelSize) -> CellSize {
    let scale = scale(of: picture)
    return CellSize(
      columns: whole(Double(picture.width) * scale / Double(cell.width), most: box.columns),
      rows: whole(Double(picture.height) * scale / Double(cell.height), most: box.rows)
    )
  }

  private func scale(of picture: PixelSize) -> Double {
    let fitting = min(
      Double(box.columns * cell.width) / Double(picture.width),
      Double(box.rows * cell.height) / Double(picture.height)
    )
    return isEnlarged ? fitting : min(1, fitting)
  }

  /// A whole number of cells; an excess below a hundredth of a cell is a rounding error.
  private func whole(_ number: Double, most: Int) -> Int {
    let whole = isRounded ? number.rounded() : (number - 0.01).rounded(.up)
    return Int(min(max(1, whole), Double(max(1, most))))
  }
}
