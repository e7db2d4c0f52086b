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

  @Test(arguments: [
    (PictureBytes.svg, ImageFormat.svg), (PictureBytes.bareJXL, .jpegXL),
    (PictureBytes.boxedJXL, .jpegXL),
  ])
  func `leaves out the size of formats that hide it`(bytes: [UInt8], format: ImageFormat) throws {
    let header = try #require(ImageHeader(bytes))

    #expect(header.format == format)
    #expect(header.width == nil)
    #expect(header.height == nil)
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
