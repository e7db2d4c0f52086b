import Models

/// JPEG XL: a bare codestream, or boxes around one (ISO/IEC 18181-2, section 4; 18181-1, D.1).
enum JPEGXLHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    isBare(bytes) || isBoxed(bytes) ? .jpegXL : nil
  }

  /// The size at the beginning of the codestream, before any rotation.
  static func size(in bytes: ByteReader) -> PixelSize? {
    var bits = codestream(in: bytes)
    return bits?.size()
  }

  /// The codestream behind its signature.
  ///
  /// One in several boxes has a number of four bytes before each part (18181-2, 9.10).
  static func codestream(in bytes: ByteReader) -> JPEGXLBits? {
    if isBare(bytes) { return JPEGXLBits(at: 0, in: bytes) }
    let boxes = ISOBox.boxes(from: 0, to: bytes.end, in: bytes)
    guard let box = boxes.first(where: { pictures.contains($0.type) }) else { return nil }
    return JPEGXLBits(at: box.type == "jxlp" ? box.body + 4 : box.body, in: bytes)
  }

  private static let pictures: Set = ["jxlc", "jxlp"]

  /// Whole when the last box ends at the end of the file and one of the boxes holds the picture.
  ///
  /// A bare codestream has no end marker.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard isBoxed(sample.head) else { return .unknown }
    let file = ISOBoxFile(sample)
    if file.completeness == .whole, file.types.isDisjoint(with: pictures) { return .cut }
    return file.completeness
  }

  private static func isBare(_ bytes: ByteReader) -> Bool { bytes.has([0xFF, 0x0A], at: 0) }

  private static func isBoxed(_ bytes: ByteReader) -> Bool {
    bytes.has([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], at: 0)
  }
}

/// The bits of a codestream, of which those of a byte begin with the least significant one (18181-1, annex B).
///
/// Behind the end, all bits are 0.
struct JPEGXLBits {
  private let bytes: ByteReader
  private var bit: Int
  /// Whether all bits that were read are in the bytes.
  private var isWhole = true

  /// Nil where no codestream begins.
  init?(at start: Int, in bytes: ByteReader) {
    guard bytes.has([0xFF, 0x0A], at: start) else { return nil }
    self.bytes = bytes
    bit = (start + 2) * 8
  }

  /// Reads a number of at most 32 bits.
  private mutating func number(of count: Int) -> Int {
    var value = 0
    for place in 0..<count {
      guard let byte = bytes.byte(at: bit / 8) else {
        isWhole = false
        return 0
      }
      value |= Int(byte >> UInt8(bit % 8) & 1) << place
      bit += 1
    }
    return value
  }

  private mutating func isSet() -> Bool { number(of: 1) == 1 }

  /// Reads a number in one of four ways, each with what is added to its bits.
  private mutating func number(_ ways: (bits: Int, added: Int)...) -> Int {
    let way = ways[number(of: 2)]
    return number(of: way.bits) + way.added
  }

  /// Reads a number that stands for a name.
  private mutating func name() -> Int { number((0, 0), (0, 1), (4, 2), (6, 18)) }

  /// Reads the size header (D.2), with which a codestream begins.
  mutating func size() -> PixelSize? {
    let isSmall = isSet()
    let height = side(isSmall)
    let ratio = number(of: 3)
    // The width as a share of the height; with the first, the width follows.
    let ratios = [(0, 1), (1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let (part, whole) = ratios[ratio]
    let width = ratio == 0 ? side(isSmall) : height * part / whole
    return isWhole ? PixelSize(width: width, height: height) : nil
  }

  private mutating func side(_ isSmall: Bool) -> Int {
    isSmall ? (number(of: 5) + 1) * 8 : number((9, 1), (13, 1), (18, 1), (30, 1))
  }

  /// Reads from the size header to the colours (D.3 and E.2), and returns those that have names.
  ///
  /// The numbers of primaries are those of this format, where the white is D65; else 2. The numbers of curves are those
  /// of H.273. Nil for those of sRGB, if a gamma or a profile states them, and if the bytes end before.
  mutating func colours() -> (primaries: Int, transfer: Int)? {
    let isUsual = size() == nil || isSet()
    if isUsual { return nil }
    if isSet() { skipMoreFields() }
    skipDepth()
    // Whether buffers of 16 bits suffice.
    _ = isSet()
    for _ in 0..<number((0, 0), (0, 1), (4, 2), (12, 1)) where isWhole { skipChannel() }
    // Whether the colours are coded as XYB.
    _ = isSet()
    let (isSRGB, hasProfile) = (isSet(), isSet())
    let space = name()
    // Colours, or grey.
    guard isWhole, !isSRGB, !hasProfile, space < 2 else { return nil }
    let white = name()
    if white == 2 { skipPlaces(1) }
    let primaries = space == 0 ? name() : 1
    if primaries == 2 { skipPlaces(3) }
    let hasGamma = isSet()
    let transfer = name()
    return isWhole && !hasGamma ? (white == 1 ? primaries : 2, transfer) : nil
  }

  /// Skips orientation, intended size, preview and film.
  private mutating func skipMoreFields() {
    _ = number(of: 3)
    if isSet() { _ = size() }
    if isSet() {
      let isSmall = isSet()
      func side(_ bits: inout Self) {
        _ =
          isSmall
          ? bits.number((0, 16), (0, 32), (5, 1), (9, 33))
          : bits.number((6, 1), (8, 65), (10, 321), (12, 1_345))
      }
      side(&self)
      if number(of: 3) == 0 { side(&self) }
    }
    if isSet() {
      _ = number((0, 100), (0, 1_000), (10, 1), (30, 1))
      _ = number((0, 1), (0, 1_001), (8, 1), (10, 1))
      _ = number((0, 0), (3, 0), (16, 0), (32, 0))
      _ = isSet()
    }
  }

  /// Skips how many bits a sample has, of whole numbers or of fractions.
  private mutating func skipDepth() {
    if isSet() {
      _ = number((0, 32), (0, 16), (0, 24), (6, 1))
      _ = number(of: 4)
    } else {
      _ = number((0, 8), (0, 10), (0, 12), (6, 1))
    }
  }

  /// Skips what a further channel is, such as alpha.
  private mutating func skipChannel() {
    if isSet() { return }
    let kind = name()
    skipDepth()
    _ = number((0, 0), (0, 3), (0, 4), (3, 1))
    for _ in 0..<number((0, 0), (4, 0), (5, 16), (10, 48)) { _ = number(of: 8) }
    switch kind {
    case 0: _ = isSet()
    case 2: for _ in 0..<4 { _ = number(of: 16) }
    case 5: _ = number((0, 1), (2, 0), (4, 3), (8, 19))
    default: break
    }
  }

  private mutating func skipPlaces(_ count: Int) {
    for _ in 0..<2 * count { _ = number((19, 0), (19, 524_288), (20, 1_048_576), (21, 2_097_152)) }
  }
}
