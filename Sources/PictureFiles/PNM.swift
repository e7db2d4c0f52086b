import Models

/// PBM, PGM and PPM: "P" and a digit, then the sizes in decimal digits, with comments between them
/// (pbm(5), pgm(5) and ppm(5) of Netpbm).
enum PNMHeader: ImageHeaderParsing {
  struct Fields {
    /// The digit after "P": 1 to 3 for samples in decimal digits, 4 to 6 for samples in binary.
    ///
    /// 1 and 4 are bits (PBM), 2 and 5 are grey (PGM), 3 and 6 are colours (PPM).
    let kind: UInt8
    let width: Int
    let height: Int
    /// The largest value of a sample; 1 in PBM, which does not state it.
    let maximum: Int
    /// The offset of the samples.
    let pixels: Int

    init?(_ bytes: ByteReader) {
      guard bytes.byte(at: 0) == UInt8(ascii: "P"), let digit = bytes.byte(at: 1),
        (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(digit)
      else { return nil }
      kind = digit - UInt8(ascii: "0")
      let hasMaximum = kind != 1 && kind != 4
      var offset = 2
      var numbers: [Int] = []
      for _ in 0..<(hasMaximum ? 3 : 2) {
        guard let number = Self.number(at: &offset, in: bytes) else { return nil }
        numbers.append(number)
      }
      (width, height, maximum) = (numbers[0], numbers[1], hasMaximum ? numbers[2] : 1)
      guard width > 0, height > 0, (1...65_535).contains(maximum),
        bytes.byte(at: offset).map(Self.isSpace) == true
      else { return nil }
      pixels = offset + 1
    }

    /// Reads a number of at most nine digits, after white space and comments.
    private static func number(at offset: inout Int, in bytes: ByteReader) -> Int? {
      guard bytes.byte(at: offset).map({ isSpace($0) || $0 == UInt8(ascii: "#") }) == true else {
        return nil
      }
      while let byte = bytes.byte(at: offset), isSpace(byte) || byte == UInt8(ascii: "#") {
        let end = byte == UInt8(ascii: "#") ? bytes.firstOffset(of: 0x0A, from: offset) : offset
        guard let end else { return nil }
        offset = end + 1
      }
      var (number, digits) = (0, 0)
      while let byte = bytes.byte(at: offset), (0x30...0x39).contains(byte), digits < 10 {
        (number, digits, offset) = (10 * number + Int(byte - 0x30), digits + 1, offset + 1)
      }
      return (1...9).contains(digits) ? number : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// The length of all samples in bytes; nil when they are decimal digits.
    var length: Int? {
      let sampleBytes = maximum > 255 ? 2 : 1
      switch kind {
      case 4: return (width + 7) / 8 * height
      case 5: return width * height * sampleBytes
      case 6: return 3 * width * height * sampleBytes
      default: return nil
      }
    }
  }

  static func format(of bytes: ByteReader) -> ImageFormat? { Fields(bytes) == nil ? nil : .pnm }

  static func size(in bytes: ByteReader) -> PixelSize? {
    let fields = Fields(bytes)
    return PixelSize(width: fields?.width, height: fields?.height)
  }

  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard let fields = Fields(sample.head), let length = fields.length else { return .unknown }
    return fields.pixels + length <= sample.length ? .whole : .cut
  }
}

/// Reads the pixels of PBM, PGM and PPM, with samples in binary or in decimal digits.
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

  /// Reads one bit for each pixel, 1 for black; each row begins with a new byte.
  ///
  /// - Returns: The number of samples read, as `readSamples` and `readDigits` return it.
  private static func readBits(
    _ bytes: [UInt8],
    _ fields: PNMHeader.Fields,
    into picture: inout PlainPicture
  ) -> Int {
    let rowBytes = (fields.width + 7) / 8
    for pixel in 0..<picture.pixels.count {
      let (x, y) = (pixel % fields.width, pixel / fields.width)
      let offset = fields.pixels + y * rowBytes + x / 8
      guard offset < bytes.count else { return pixel }
      picture.set(pixel, bytes[offset] >> (7 - x % 8) & 1 == 1 ? 0 : 255)
    }
    return picture.pixels.count
  }

  /// Reads one byte for each sample, or two with the high byte first.
  private static func readSamples(
    _ bytes: [UInt8],
    _ fields: PNMHeader.Fields,
    into picture: inout PlainPicture
  ) -> Int {
    let isLong = fields.maximum > 255
    for index in 0..<picture.pixels.count {
      let offset = fields.pixels + (isLong ? 2 * index : index)
      guard offset + (isLong ? 1 : 0) < bytes.count else { return index }
      let sample = isLong ? Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) : Int(bytes[offset])
      picture.set(index, scaled(sample, fields.maximum))
    }
    return picture.pixels.count
  }

  /// Reads decimal numbers separated by white space, which the digits 0 and 1 of PBM do not need.
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
