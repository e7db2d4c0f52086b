package import Scenes
package import Workers

/// The settings for drawing pictures, and the decoded pictures of tiles.
package struct BrowseDrawing: Sendable {
  /// Identifies a picture to decode, and the size to decode it for.
  package struct TileKey: Sendable, Hashable {
    package var imageID: Int64
    /// The hash of the stored thumbnail.
    package var hash: String
    package var width: Int
    package var height: Int
  }

  /// The state of a tile's picture.
  enum Tile {
    case waiting
    case missing
    case picture(Picture, key: String)
  }

  package let graphics: TerminalGraphics
  package var window: TerminalWindow
  /// The size of a tile in pixels.
  package var room = PixelSize(width: 1, height: 1)
  /// The decoded pictures; nil for one that cannot be decoded.
  package private(set) var pictures: [TileKey: Picture?] = [:]

  package init(graphics: TerminalGraphics, window: TerminalWindow) {
    self.graphics = graphics
    self.window = window
  }

  /// The size of a cell.
  var cell: PixelSize { graphics.cell(in: window) }

  package func key(of image: DisplayedImage) -> TileKey? {
    image.thumbnail.map {
      TileKey(imageID: image.id, hash: $0.hash, width: room.width, height: room.height)
    }
  }

  func tile(of image: DisplayedImage) -> Tile {
    guard let key = key(of: image) else { return .missing }
    guard let decoded = pictures[key] else { return .waiting }
    guard let picture = decoded else { return .missing }
    return .picture(picture, key: "\(key.imageID) \(key.hash) \(key.width) \(key.height)")
  }

  /// Stores a decoded picture; nil when it cannot be decoded.
  package mutating func take(_ picture: Picture?, for key: TileKey) {
    pictures[key] = .some(picture)
  }

  /// Forgets all pictures except those with the given keys.
  package mutating func keep(only keys: Set<TileKey>) {
    if pictures.keys.contains(where: { !keys.contains($0) }) {
      pictures = pictures.filter { keys.contains($0.key) }
    }
  }

  /// The cells that a picture fills in a box; with a natural size, it is not enlarged beyond that.
  func cells(of picture: PixelSize, natural: PixelSize?, in box: CellSize) -> CellSize {
    graphics.cells(of: picture, natural: natural, in: box, window: window)
  }
}

/// The screen of a slide show: only a picture in the middle.
package enum SlideContent {
  /// Makes the content.
  ///
  /// - Parameters:
  ///   - image: The image to show; nil before the first.
  ///   - note: The text to show without an image.
  ///   - drawing: The settings for drawing.
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
  /// The whole screen; pictures of pixels leave the last line free, because a terminal may scroll after them.
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
