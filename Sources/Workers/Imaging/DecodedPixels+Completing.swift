import Models

extension DecodedPixels {
  /// How far apart two shapes may be for one picture to stand in for the other.
  private static let shapeTolerance = 0.04
  /// How far the colour of what has not come may be from what decoders fill it with.
  private static let fillTolerance = 8

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
    let fill = Array(fill)
    let rows = Interpolation.steps(width, of: thumbnail.width)
    var complete = self
    complete.rgba.withUnsafeMutableBufferPointer { pixels in
      for (y, down) in Interpolation.steps(height, of: thumbnail.height).enumerated() {
        for (x, right) in rows.enumerated() {
          let start = (y * width + x) * 4
          guard (0..<3).allSatisfy({ abs(Int(pixels[start + $0]) - Int(fill[$0])) <= 1 }) else {
            continue
          }
          for band in 0..<4 {
            pixels[start + band] = thumbnail.mixed(right, down, band: band)
          }
        }
      }
    }
    return complete
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
