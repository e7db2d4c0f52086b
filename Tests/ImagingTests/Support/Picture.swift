/// Pictures of 32 x 16 pixels, red to the left and blue to the right.
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

  /// Black to the left and white to the right.
  static let jpeg = JPEGSample(columns: 4, rows: 2) { column, _ in column < 2 ? 0 : 255 }.bytes
}
