import Models

/// PBM, PGM and PPM: "P" and a digit, then sizes in decimal digits, with comments between them
/// (Netpbm's pages pbm(5), pgm(5) and ppm(5)).
enum PNMHeader: ImageHeaderParsing {
  struct Fields {
    let kind: UInt8
    let width: Int
    let height: Int
    /// The largest value of a sample; 1 in PBM, which does not say.
    let maximum: Int
    let pixels: Int

    init?(_ bytes: ByteReader) {
      guard bytes.byte(at: 0) == UInt8(ascii: "P"), let digit = bytes.byte(at: 1),
        (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(digit)
      else { return nil }
      kind = digit - UInt8(ascii: "0")
      let hasMaximum = kind != 1 && kind != 4
      var place = 2
      var numbers: [Int] = []
      for _ in 0..<(hasMaximum ? 3 : 2) {
        guard let number = Self.number(at: &place, in: bytes) else { return nil }
        numbers.append(number)
      }
      (width, height, maximum) = (numbers[0], numbers[1], hasMaximum ? numbers[2] : 1)
      guard width > 0, height > 0, (1...65_535).contains(maximum),
        bytes.byte(at: place).map(Self.isSpace) == true
      else { return nil }
      pixels = place + 1
    }

    /// A number of at most nine digits behind white space and comments.
    private static func number(at place: inout Int, in bytes: ByteReader) -> Int? {
      guard bytes.byte(at: place).map({ isSpace($0) || $0 == UInt8(ascii: "#") }) == true else {
        return nil
      }
      while let byte = bytes.byte(at: place), isSpace(byte) || byte == UInt8(ascii: "#") {
        let end = byte == UInt8(ascii: "#") ? bytes.firstOffset(of: 0x0A, from: place) : place
        guard let end else { return nil }
        place = end + 1
      }
      var (number, digits) = (0, 0)
      while let byte = bytes.byte(at: place), (0x30...0x39).contains(byte), digits < 10 {
        (number, digits, place) = (10 * number + Int(byte - 0x30), digits + 1, place + 1)
      }
      return (1...9).contains(digits) ? number : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Bytes of the samples; nil where they are written in digits.
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
