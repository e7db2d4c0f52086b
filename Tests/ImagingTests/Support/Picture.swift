import Workers

/// Pictures of 32 x 16 pixels, red on the left and blue on the right.
enum Picture {
  static let red: [UInt8] = [250, 10, 10]
  static let blue: [UInt8] = [10, 10, 250]

  static func row(_: Int) -> [UInt8] {
    [[UInt8]](repeating: red, count: 16).flatMap { $0 }
      + [[UInt8]](repeating: blue, count: 16).flatMap { $0 }
  }

  static let png = PNGSample(width: 32, height: 16, row: row).bytes
  static let interlacedPNG = PNGSample(width: 1, height: 1, isInterlaced: true).bytes
  static let tiff = TIFFSample(width: 32, height: 16, pixels: (0..<16).flatMap(row)).bytes

  static let ppm = Array("P6\n# a comment\n32 16 255\n".utf8) + (0..<16).flatMap(row)

  /// Three bytes per pixel without alpha, from the bottom up.
  static let bmp: [UInt8] = {
    let rows = (0..<16).flatMap(row)
    let pixels = stride(from: 0, to: rows.count, by: 3).flatMap { rows[$0..<$0 + 3].reversed() }
    return Array("BM".utf8) + little(54 + pixels.count, 4) + little(0, 4) + little(54, 4)
      + little(40, 4) + little(32, 4) + little(16, 4) + little(1, 2) + little(24, 2)
      + [UInt8](repeating: 0, count: 24) + pixels
  }()

  /// An icon that contains a file and claims a size of 32 x 16 pixels.
  static func icon(_ file: [UInt8]) -> [UInt8] {
    [0, 0, 1, 0, 1, 0, 32, 16, 0, 0, 1, 0, 32, 0] + little(file.count, 4) + little(22, 4) + file
  }

  /// The BMP of an icon with the same pixels, whose mask hides the lower half.
  static let maskedBMP: [UInt8] = {
    let mask = [UInt8](repeating: 0xFF, count: 32) + [UInt8](repeating: 0, count: 32)
    var header = Array(bmp[14..<54])
    header.replaceSubrange(8..<12, with: little(32, 4))
    return header + bmp[54...] + mask
  }()

  static func little(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// Black on the left and white on the right.
  static let jpeg = JPEGSample(columns: 4, rows: 2) { column, _ in column < 2 ? 0 : 255 }.bytes
}

extension DecodedPixels {
  /// Red, green, blue and alpha of a pixel.
  func colour(_ x: Int, _ y: Int) -> [Int] {
    let start = 4 * (y * width + x)
    return rgba[start..<start + 4].map(Int.init)
  }

  /// Whether a pixel has a colour, within the tolerance for lossy encoders.
  func has(_ colour: [Int], at x: Int, _ y: Int, tolerance: Int = 12) -> Bool {
    zip(self.colour(x, y), colour).allSatisfy { abs($0 - $1) <= tolerance }
  }
}
