import Models

extension DecodedPixels {
  /// How far apart two shapes may be for one picture to stand in for the other.
  private static let shapeTolerance = 0.04
  /// How far the colour of what has not come may be from what decoders fill it with.
  private static let fillTolerance = 8
  /// How many pixels of the edge of what has come are mixed with the fill, for pictures are made
  /// smaller by filters.
  private static let edge = 3

  /// A JPEG of which a part has come, with the missing part taken from its thumbnail, enlarged.
  ///
  /// What its decoder has nothing for, it leaves in the middle grey, to which all samples are shifted
  /// (ITU-T T.81, section A.3.1). The pixels of that colour are taken from the thumbnail; where the
  /// picture itself has that colour, so has the thumbnail. Decoders of other formats leave in the
  /// missing part whatever was in their memory.
  ///
  /// - Parameter thumbnail: The whole picture, in fewer pixels; nil when there is none.
  /// - Returns: Nil for another format, and when the thumbnail is one of another shape.
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

  /// The colour of what has not come; nil when all of it has.
  private var fill: ArraySlice<UInt8>? {
    let (x, y) = lastCorner
    let start = (y * width + x) * 4
    let colour = rgba[start..<(start + 3)]
    let isGrey = colour.allSatisfy { abs(Int($0) - 128) <= Self.fillTolerance }
    return isGrey ? colour : nil
  }

  /// Where the pixel that comes last in the file is shown (EXIF 2.32, section 4.6.4, tag 274).
  private var lastCorner: (x: Int, y: Int) {
    let isLeft = [2, 3, 6, 7].contains(source.orientation)
    let isTop = [3, 4, 7, 8].contains(source.orientation)
    return (isLeft ? 0 : width - 1, isTop ? 0 : height - 1)
  }

  private func replacing(
    _ fill: ArraySlice<UInt8>,
    from thumbnail: DecodedPixels
  ) -> DecodedPixels {
    let missing = places(of: Array(fill))
    let columns = Interpolation.steps(width, of: thumbnail.width)
    let rows = Interpolation.steps(height, of: thumbnail.height)
    var complete = self
    complete.rgba.withUnsafeMutableBufferPointer { pixels in
      for y in 0..<height {
        for x in 0..<width where isMissing(x, y, missing) {
          for band in 0..<4 {
            let value = thumbnail.mixed(columns[x], rows[y], band: band)
            pixels[(y * width + x) * 4 + band] = value
          }
        }
      }
    }
    return complete
  }

  /// Which pixels have a colour, in the order of the pixels.
  private func places(of colour: [UInt8]) -> [Bool] {
    let wanted = (Int(colour[0]), Int(colour[1]), Int(colour[2]))
    return rgba.withUnsafeBufferPointer { pixels in
      stride(from: 0, to: pixels.count, by: 4).map { start in
        abs(Int(pixels[start]) - wanted.0) <= 1 && abs(Int(pixels[start + 1]) - wanted.1) <= 1
          && abs(Int(pixels[start + 2]) - wanted.2) <= 1
      }
    }
  }

  /// Whether a pixel has not come, or is at the edge of what has.
  private func isMissing(_ x: Int, _ y: Int, _ missing: [Bool]) -> Bool {
    let place = y * width + x
    if missing[place] { return true }
    let edge = Self.edge
    return (y + edge < height && missing[place + edge * width])
      || (y >= edge && missing[place - edge * width])
      || (x + edge < width && missing[place + edge]) || (x >= edge && missing[place - edge])
  }

  /// A value between four pixels.
  private func mixed(_ right: Interpolation, _ down: Interpolation, band: Int) -> UInt8 {
    func value(_ x: Int, _ y: Int) -> Int { Int(rgba[(y * width + x) * 4 + band]) }
    let (w, v) = (right.weight, down.weight)
    let upper = value(right.first, down.first) * (256 - w) + value(right.second, down.first) * w
    let lower = value(right.first, down.second) * (256 - w) + value(right.second, down.second) * w
    return UInt8((upper * (256 - v) + lower * v) >> 16)
  }
}
