/// A rectangle of a picture's pixels; offsets are from its top left corner.
package struct PixelRegion: Sendable, Equatable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// A picture to make from a stored one by cropping, scaling, rotating and recolouring, in this order.
package struct Rendering: Sendable, Equatable {
  /// A clockwise rotation; the raw value is the number of quarter turns.
  package enum Turn: UInt8, Sendable, CaseIterable {
    case none = 0
    case quarter = 1
    case half = 2
    case threeQuarters = 3
  }

  /// The colours that the result keeps.
  package enum Colours: UInt8, Sendable, CaseIterable {
    case all = 0
    case grey = 1
    case blackAndWhite = 2
  }

  /// The format of the result.
  package enum Encoding: UInt8, Sendable, CaseIterable {
    case jpeg = 0
    /// Keeps transparency, except in black and white; a JPEG has white instead.
    case png = 1

    package var format: ImageFormat { self == .jpeg ? .jpeg : .png }
  }

  /// The longest side of a result, in pixels.
  package static let longestSide = 16_384
  /// The most pixels of a result.
  package static let largestArea = 36_000_000

  /// The region, in pixels of the upright picture.
  package var region: PixelRegion
  /// The width to which the region is scaled, before rotation; at most the width of the region.
  package var width: Int
  /// The height to which the region is scaled, before rotation; at most the height of the region.
  package var height: Int
  /// Whether left and right are swapped, before rotation.
  package var isMirrored: Bool
  package var turn: Turn
  package var colours: Colours
  package var encoding: Encoding

  package init(
    region: PixelRegion,
    width: Int,
    height: Int,
    isMirrored: Bool = false,
    turn: Turn = .none,
    colours: Colours = .all,
    encoding: Encoding = .jpeg
  ) {
    self.region = region
    self.width = width
    self.height = height
    self.isMirrored = isMirrored
    self.turn = turn
    self.colours = colours
    self.encoding = encoding
  }

  /// The width and height of the result.
  package var turned: (width: Int, height: Int) {
    turn == .quarter || turn == .threeQuarters ? (height, width) : (width, height)
  }

  /// Whether the result is within the limits, and not larger than its region.
  package var isSound: Bool {
    let sides = 1...Self.longestSide
    let numbers = 0...Int(Int32.max)
    return numbers.contains(region.x) && numbers.contains(region.y)
      && numbers.contains(region.width) && numbers.contains(region.height)
      && sides.contains(width) && sides.contains(height)
      && width <= region.width && height <= region.height
      && width * height <= Self.largestArea
  }
}

/// The few colours that are shown until a picture's thumbnail arrives.
package enum ColourGrid {
  package static let columns = 4
  package static let rows = 3
  /// The length of a grid: red, green and blue of each cell, row by row.
  package static let bytes = 3 * columns * rows
}
