/// PBM, PGM and PPM, with samples as bytes or in digits (Netpbm's pages pbm(5), pgm(5) and ppm(5)).
enum PNMReader {
  static func picture(
    _ bytes: [UInt8],
    _ isPartial: Bool,
    _ limit: Int
  ) throws(PlainPictureError) -> PlainPicture {
    guard let fields = PNMHeader.Fields(ByteReader(bytes[...])) else {
      throw .damaged("it ends within its header")
    }
    let bands = fields.kind == 3 || fields.kind == 6 ? 3 : 1
    var picture = try PlainPicture(
      width: fields.width,
      height: fields.height,
      bands: bands,
      limit: limit
    )
    let count =
      switch fields.kind {
      case 4: readBits(bytes, fields, into: &picture)
      case 5, 6: readSamples(bytes, fields, into: &picture)
      default: readDigits(bytes, fields, into: &picture)
      }
    guard count == picture.pixels.count || isPartial else {
      throw .damaged("it ends before its last row")
    }
    return picture
  }

  /// A bit a pixel, 1 for black; each row begins with a byte.
  private static func readBits(
    _ bytes: [UInt8],
    _ fields: PNMHeader.Fields,
    into picture: inout PlainPicture
  ) -> Int {
    let rowBytes = (fields.width + 7) / 8
    for pixel in 0..<picture.pixels.count {
      let (x, y) = (pixel % fields.width, pixel / fields.width)
      let place = fields.pixels + y * rowBytes + x / 8
      guard place < bytes.count else { return pixel }
      picture.set(pixel, bytes[place] >> (7 - x % 8) & 1 == 1 ? 0 : 255)
    }
    return picture.pixels.count
  }

  /// A byte a sample, or two with the higher one first.
  private static func readSamples(
    _ bytes: [UInt8],
    _ fields: PNMHeader.Fields,
    into picture: inout PlainPicture
  ) -> Int {
    let isLong = fields.maximum > 255
    for index in 0..<picture.pixels.count {
      let place = fields.pixels + (isLong ? 2 * index : index)
      guard place + (isLong ? 1 : 0) < bytes.count else { return index }
      let sample = isLong ? Int(bytes[place]) << 8 | Int(bytes[place + 1]) : Int(bytes[place])
      picture.set(index, scaled(sample, fields.maximum))
    }
    return picture.pixels.count
  }

  /// Numbers parted by white space; the digits 0 and 1 of PBM need none.
  private static func readDigits(
    _ bytes: [UInt8],
    _ fields: PNMHeader.Fields,
    into picture: inout PlainPicture
  ) -> Int {
    var (index, sample) = (0, -1)
    for byte in bytes[min(fields.pixels, bytes.count)...] + [0x20] {
      guard index < picture.pixels.count else { break }
      let isDigit = (0x30...0x39).contains(byte)
      if isDigit { sample = min(max(0, sample) * 10 + Int(byte & 15), 1 << 20) }
      guard sample >= 0, !isDigit || fields.kind == 1 else { continue }
      let value = scaled(sample, fields.maximum)
      picture.set(index, fields.kind == 1 ? 255 - value : value)
      (index, sample) = (index + 1, -1)
    }
    return index
  }

  private static func scaled(_ sample: Int, _ maximum: Int) -> UInt8 {
    UInt8((min(sample, maximum) * 255 + maximum / 2) / maximum)
  }
}
