import Models
import TestSupport
import Testing

@testable import PictureFiles

struct ImageHeaderTests {
  @Test(arguments: [
    (PictureBytes.jpeg, ImageFormat.jpeg), (PictureBytes.png, .png), (PictureBytes.gif, .gif),
    (PictureBytes.bmp, .bmp), (PictureBytes.tiff, .tiff), (PictureBytes.lossyWebP, .webP),
    (PictureBytes.losslessWebP, .webP), (PictureBytes.extendedWebP, .webP),
    (PictureBytes.avif, .avif), (PictureBytes.heic, .heic), (PictureBytes.pbm, .pnm),
    (PictureBytes.bareJPEG2000, .jpeg2000), (PictureBytes.boxedJPEG2000, .jpeg2000),
    (PictureBytes.bareJXL, .jpegXL), (PictureBytes.boxedJXL, .jpegXL),
  ])
  func `reads format and size of a picture`(bytes: [UInt8], format: ImageFormat) throws {
    let header = try #require(ImageHeader(bytes))

    #expect(header.format == format)
    #expect(header.width == 640)
    #expect(header.height == 480)
  }

  @Test func `reads the size of the largest picture of an icon`() throws {
    let header = try #require(ImageHeader(PictureBytes.icon))

    #expect(header.format == .ico)
    #expect((header.width, header.height) == (48, 256))
  }

  @Test func `leaves out the size of an SVG`() throws {
    let header = try #require(ImageHeader(PictureBytes.svg))

    #expect(header.format == .svg)
    #expect(header.width == nil)
    #expect(header.height == nil)
  }

  /// The first bytes of files by cjxl 0.7.0, but for the last three, which have the sides as 30 bits, in eights and
  /// with the ratio 12 to 10.
  @Test(
    arguments: [
      ([0xF8, 0x49, 0x10], 480, 320), ([0xF8, 0x0E, 0x7E, 0x5A], 320, 480),
      ([0x60, 0x1A, 0x10], 333, 333),
      ([0x06, 0, 0, 0, 0x30, 0x04, 0, 0, 0], 17, 1), ([0x07, 0x18], 104, 32), ([0x97, 0], 115, 96),
    ] as [([UInt8], Int, Int)]
  )
  func `reads the size header of a JPEG XL`(bits: [UInt8], width: Int, height: Int) throws {
    let header = try #require(ImageHeader([0xFF, 0x0A] + bits))

    #expect(header.format == .jpegXL)
    #expect((header.width, header.height) == (width, height))
  }

  @Test func `reads the size of a JPEG XL in parts`() throws {
    let start = PictureBytes.boxedJXL.dropLast(12)
    let part = PictureBytes.box("jxlp", PictureBytes.big(0, 4) + PictureBytes.bareJXL)
    let header = try #require(ImageHeader(start + part))

    #expect((header.width, header.height) == (640, 480))
  }

  @Test(arguments: 0..<4)
  func `leaves out the size of a JPEG XL that ends early`(count: Int) {
    #expect(ImageHeader(Array(PictureBytes.bareJXL.prefix(count)))?.width == nil)
    #expect(ImageHeader(Array(PictureBytes.boxedJXL.dropLast(4 - count)))?.width == nil)
  }

  /// The beginnings of codestreams by cjxl 0.7.0, with the red primary and the curve that they state.
  private static let codestreams: [(bits: [UInt8], red: Double, curve: DeclaredColours.Curve)] = [
    // BT.2020: PQ with alpha, and HLG in a film.
    ([0xC3, 0xF1, 0xA3, 0x21, 0x8F, 0x1E, 0x01], 0.708, .quantizer),
    ([0xC3, 0x05, 0x03, 0x48, 0xC8, 0x33, 0x50, 0x02], 0.708, .hybrid),
    // Display P3, and grey.
    ([0xC3, 0xF1, 0x93, 0x90, 0x69, 0x20, 0x02], 0.680, .hybrid),
    ([0xC3, 0xF1, 0x93, 0x14, 0x3D, 0x02], 0.640, .quantizer),
    // The white of cinemas.
    ([0xC3, 0xF1, 0x93, 0x60, 0x9A, 0xF4, 0x08], 0.640, .unknown),
  ]

  @Test(arguments: codestreams.indices)
  func `reads which HDR a JPEG XL has, bare and in boxes`(index: Int) throws {
    let (bits, red, curve) = Self.codestreams[index]
    let file = [0xFF, 0x0A] + bits
    let boxes = Array(PictureBytes.boxedJXL.dropLast(12))
    let found = try #require(DeclaredColours(ofJPEGXL: file))

    #expect(found.primaries.red.x == red)
    #expect(found.curve == curve)
    #expect(found.overridesProfile)
    #expect(DeclaredColours(ofJPEGXL: boxes + PictureBytes.box("jxlc", file)) == found)
    let part = PictureBytes.box("jxlp", PictureBytes.big(0, 4) + file)
    #expect(DeclaredColours(ofJPEGXL: boxes + part) == found)
    for count in 0..<file.count - 1 {
      #expect(DeclaredColours(ofJPEGXL: Array(file.prefix(count))) == nil)
    }
  }

  /// Linear light, a gamma, sRGB in a film, and a file that ends behind its size.
  @Test(
    arguments: [
      [0xC3, 0xF1, 0x93, 0x90, 0x47, 0x8B, 0, 0],
      [0xC3, 0xF1, 0x93, 0x90, 0x17, 0x3D, 0xAB, 0x28, 2, 0],
      [0xC3, 0x05, 0x03, 0x48, 0x28, 0x2E, 0x09, 0], [0xC3], [],
    ] as [[UInt8]]
  )
  func `leaves colours of a JPEG XL to its profile where they are not HDR`(bits: [UInt8]) {
    #expect(DeclaredColours(ofJPEGXL: [0xFF, 0x0A] + bits) == nil)
  }

  /// The directory is behind the pixels, as most programs write it.
  @Test(arguments: [100, 300_000, 5_000_000])
  func `reads the size of a TIFF behind its pixels`(pixels: Int) throws {
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      let (number, type) = (PictureBytes.big(tag, 2), PictureBytes.big(3, 2))
      return number + type + PictureBytes.big(1, 4) + PictureBytes.big(value, 2) + [0, 0]
    }
    let start = PictureBytes.ascii("MM") + PictureBytes.big(42, 2) + PictureBytes.big(8 + pixels, 4)
    let directory: [UInt8] = PictureBytes.big(2, 2) + entry(256, 640) + entry(257, 480)
    let file: [UInt8] = start + [UInt8](repeating: 7, count: pixels) + directory + [0, 0, 0, 0]
    let check = try #require(PictureCheck(file))

    #expect((check.info.width, check.info.height) == (640, 480))
    #expect(check.completeness == .unknown)
  }

  @Test func `leaves out the size of a TIFF whose directory is in neither part of a sample`() throws
  {
    let start = PictureBytes.ascii("MM") + PictureBytes.big(42, 2) + PictureBytes.big(400_000, 4)
    let tail = [UInt8](repeating: 0, count: 1_000)
    let check = try #require(PictureCheck(PictureSample(head: start, tail: tail, length: 900_000)))

    #expect((check.info.width, check.info.height) == (nil, nil))
  }

  @Test(arguments: [
    "", "Not found", "<!DOCTYPE html><p>Sorry", "{\"svg\": 1}", "GIF88a", "BMP or not, text it is",
    "<rss/>", "P5 is a name", "P6", "\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}icon or not, text",
    "\u{0}\u{0}\u{0}\u{18}ftypmp42\u{0}\u{0}\u{0}\u{0}isommp42",
  ])
  func `takes nothing else for a picture`(text: String) {
    #expect(ImageHeader(Array(text.utf8)) == nil)
  }

  @Test func `reads a slice that does not begin at 0`() throws {
    let bytes = [1, 2, 3] + PictureBytes.png

    let header = try #require(ImageHeader(bytes.dropFirst(3)))

    #expect(header.format == .png)
    #expect(header.width == 640)
  }

  @Test func `has no size when the bytes do not reach to it`() throws {
    let header = try #require(ImageHeader(Array(PictureBytes.png.prefix(20))))

    #expect(header.format == .png)
    #expect(header.width == nil)
    #expect(header.height == nil)
  }
}

struct ImageCompletenessTests {
  private typealias Bytes = PictureBytes

  private static func completeness(_ bytes: some Sequence<UInt8>) -> ImageCompleteness? {
    PictureCheck(Array(bytes))?.completeness
  }

  @Test(arguments: [
    Bytes.jpeg, Bytes.png, Bytes.gif, Bytes.bmp, Bytes.lossyWebP, Bytes.losslessWebP,
    Bytes.extendedWebP, Bytes.avif, Bytes.heic, Bytes.boxedJXL,
    Bytes.ppm, Bytes.icon, Bytes.boxedJPEG2000,
  ])
  func `is whole as it is, and cut with a byte less`(bytes: [UInt8]) {
    #expect(Self.completeness(bytes) == .whole)
    #expect(Self.completeness(bytes.dropLast()) == .cut)
  }

  @Test(arguments: [Bytes.jpeg, Bytes.png, Bytes.gif, Bytes.bmp, Bytes.lossyWebP])
  func `stays whole with padding behind it`(bytes: [UInt8]) {
    #expect(Self.completeness(bytes + [0, 0, 0x0D, 0x0A]) == .whole)
  }

  @Test func `is unknown without an end marker`() {
    #expect(Self.completeness(Bytes.tiff) == .unknown)
    #expect(Self.completeness(Bytes.bareJXL) == .unknown)
  }

  @Test func `is cut when a TIFF ends before its directory`() {
    let bytes = Bytes.ascii("MM") + Bytes.big(42, 2) + Bytes.big(5000, 4) + [1, 2, 3]

    #expect(Self.completeness(bytes) == .cut)
  }

  @Test func `is unknown when a BMP declares no length`() {
    let bytes = Bytes.bmp.prefix(2) + Bytes.little(0, 4) + Bytes.bmp.dropFirst(6)

    #expect(Self.completeness(bytes) == .unknown)
  }

  @Test func `is whole when an SVG has its last end tag`() {
    #expect(Self.completeness(Bytes.svg) == .whole)
    #expect(Self.completeness("<svg><g></g></svg ><!-- svg -->".utf8) == .whole)
  }

  @Test(arguments: ["<svg><g></g>", "<svg><g></g></svg", "<svg><g></g></", "<svg>"])
  func `is cut when an SVG lacks its last end tag`(text: String) {
    #expect(Self.completeness(text.utf8) == .cut)
  }

  @Test func `is cut when a GIF ends with the trailer's value by chance`() {
    #expect(Self.completeness(Bytes.gif.dropLast(2) + [0x3B]) == .cut)
  }
}

struct PictureSampleTests {
  private typealias Bytes = PictureBytes

  private static func arriving(_ bytes: [UInt8], pieces: Int) -> PictureSample {
    var sample = PictureSample()
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      sample.append(Array(bytes[start..<min(start + pieces, bytes.count)]))
    }
    return sample
  }

  private static func png(dataBytes count: Int) -> [UInt8] {
    Array(Bytes.png.dropLast(12)) + [UInt8](repeating: 5, count: count) + Bytes.pngEnd
  }

  @Test func `says of a file that arrives what it says of one in memory`() {
    for bytes in Bytes.all {
      #expect(PictureCheck(Self.arriving(bytes, pieces: 7)) == PictureCheck(bytes))
    }
  }

  @Test(arguments: [100, PictureSample.headLimit, PictureSample.headLimit + 70_000, 1_000_000])
  func `finds the end of a file of any length`(count: Int) {
    let bytes = Self.png(dataBytes: count)

    let sample = Self.arriving(bytes, pieces: 16_384)

    let info = PictureInfo(format: .png, bytes: bytes.count, width: 640, height: 480)
    #expect(PictureCheck(sample)?.info == info)
    #expect(PictureCheck(sample)?.completeness == .whole)
    let cut = Self.arriving(bytes.dropLast(), pieces: 16_384)
    #expect(PictureCheck(cut)?.completeness == .cut)
  }

  @Test func `keeps no more than its limits of a file that arrives`() {
    let sample = Self.arriving(Self.png(dataBytes: 2_000_000), pieces: 100_000)

    #expect(sample.head.bytes.count == PictureSample.headLimit)
    #expect(sample.tail.bytes.count <= 2 * PictureSample.tailLimit)
    #expect(sample.tail.end == sample.length)
    #expect(!sample.hasNoGap)
  }

  @Test func `has no gap as long as first and last bytes overlap`() {
    let count = PictureSample.headLimit + PictureSample.tailLimit

    #expect(PictureSample([1, 2, 3]).hasNoGap)
    #expect(PictureSample(head: [1, 2, 3], tail: [3, 4], length: 4).hasNoGap)
    #expect(!PictureSample(head: [1, 2, 3], tail: [4, 5], length: 5).hasNoGap)
    #expect(Self.arriving([UInt8](repeating: 1, count: count - 1), pieces: 999).hasNoGap)
  }
}
