import Models

extension DecodedPixels {
  /// The largest difference in aspect ratio at which one picture can replace another.
  private static let shapeTolerance = 0.04
  /// The largest difference between the colour of the missing part and the grey that decoders use.
  private static let fillTolerance = 8
  /// The number of pixels at the edge of the missing part that filters have mixed with the grey while scaling down.
  private static let edge = 3
  /// The number of pixels of the original at the edge of the missing part that the decoder has mixed with the grey.
  ///
  /// While only the first scan of a progressive JPEG has come, libjpeg-turbo smooths each block with the two beside it.
  /// In pictures whose colours have half the size, 52 pixels were measured; elsewhere there are fewer.
  private static let smoothed = 56

  /// Returns a partial JPEG whose missing part is replaced by its enlarged thumbnail.
  ///
  /// The decoder fills the missing part with the middle grey, which is the level shift of all samples (ITU-T T.81,
  /// section A.3.1). Pixels of this colour are taken from the thumbnail. If the picture itself has this colour
  /// somewhere, the thumbnail has it, too. Decoders of other formats fill the missing part with arbitrary pixels.
  ///
  /// - Parameter thumbnail: The whole picture, in fewer pixels; nil if it is missing.
  /// - Returns: The completed picture; nil for another format, and for a thumbnail of another shape.
  @concurrent
  package func completed(with thumbnail: DecodedPixels?) async -> DecodedPixels? {
    guard source.format == .jpeg else { return nil }
    guard let thumbnail, let fill else { return self }
    return hasShape(of: thumbnail) ? replacing(fill, from: thumbnail) : nil
  }

  private func hasShape(of other: DecodedPixels) -> Bool {
    let ratio = Double(width * other.height) / Double(height * other.width)
    return abs(ratio - 1) < Self.shapeTolerance
  }

  /// The colour of the missing part; nil when nothing is missing.
  private var fill: ArraySlice<UInt8>? {
    let (x, y) = lastCorner
    let start = (y * width + x) * 4
    let colour = rgba[start..<(start + 3)]
    let isGrey = colour.allSatisfy { abs(Int($0) - 128) <= Self.fillTolerance }
    return isGrey ? colour : nil
  }

  /// The corner that shows the last pixel of the file (EXIF 2.32, section 4.6.4, tag 274).
  private var lastCorner: (x: Int, y: Int) {
    let isLeft = [2, 3, 6, 7].contains(source.orientation)
    let isTop = [3, 4, 7, 8].contains(source.orientation)
    return (isLeft ? 0 : width - 1, isTop ? 0 : height - 1)
  }

  private func replacing(
    _ fill: ArraySlice<UInt8>,
    from thumbnail: DecodedPixels
  ) -> DecodedPixels {
    let missing = positions(of: Array(fill))
    let edge = edge
    let columns = Interpolation.steps(width, of: thumbnail.width)
    let rows = Interpolation.steps(height, of: thumbnail.height)
    var complete = self
    complete.rgba.withUnsafeMutableBufferPointer { pixels in
      for y in 0..<height {
        for x in 0..<width where isMissing(x, y, missing, edge) {
          for band in 0..<4 {
            let value = thumbnail.mixed(columns[x], rows[y], band: band)
            pixels[(y * width + x) * 4 + band] = value
          }
        }
      }
    }
    return complete
  }

  /// For each pixel, whether it has a colour.
  private func positions(of colour: [UInt8]) -> [Bool] {
    let wanted = (Int(colour[0]), Int(colour[1]), Int(colour[2]))
    return rgba.withUnsafeBufferPointer { pixels in
      stride(from: 0, to: pixels.count, by: 4).map { start in
        abs(Int(pixels[start]) - wanted.0) <= 1 && abs(Int(pixels[start + 1]) - wanted.1) <= 1
          && abs(Int(pixels[start + 2]) - wanted.2) <= 1
      }
    }
  }

  /// The number of pixels at the edge of the missing part that do not show the picture.
  private var edge: Int {
    Self.edge + Self.smoothed * max(width, height) / max(source.width, source.height, 1)
  }

  /// Whether a pixel is in the missing part or at its edge.
  private func isMissing(_ x: Int, _ y: Int, _ missing: [Bool], _ edge: Int) -> Bool {
    let index = y * width + x
    if missing[index] { return true }
    let (above, below) = (max(0, y - edge), min(height - 1, y + edge))
    let (left, right) = (max(0, x - edge), min(width - 1, x + edge))
    return missing[below * width + x] || missing[above * width + x]
      || missing[y * width + right] || missing[y * width + left]
  }

  /// A value interpolated between four pixels.
  private func mixed(_ right: Interpolation, _ down: Interpolation, band: Int) -> UInt8 {
    func value(_ x: Int, _ y: Int) -> Int { Int(rgba[(y * width + x) * 4 + band]) }
    let (w, v) = (right.weight, down.weight)
    let upper = value(right.first, down.first) * (256 - w) + value(right.second, down.first) * w
    let lower = value(right.first, down.second) * (256 - w) + value(right.second, down.second) * w
    return UInt8((upper * (256 - v) + lower * v) >> 16)
  }
}

/// The two pixels of a smaller picture between which a pixel of a larger one lies, along one axis.
struct Interpolation {
  let first: Int
  let second: Int
  /// The weight of the second one, out of 256.
  let weight: Int

  /// The interpolations for `count` pixels from `fewer` pixels.
  static func steps(_ count: Int, of fewer: Int) -> [Interpolation] {
    (0..<count).map { index in
      let position = ((Double(index) + 0.5) * Double(fewer) / Double(count) - 0.5)
      let clamped = min(max(0, position), Double(fewer - 1))
      let first = Int(clamped)
      return Interpolation(
        first: first,
        second: min(first + 1, fewer - 1),
        weight: Int((clamped - Double(first)) * 256)
      )
    }
  }
}
