import Models
import TestSupport
import Testing

@testable import PictureFiles

struct JPEGHeaderTests {
  private typealias Bytes = PictureBytes

  private static func size(_ bytes: [UInt8]) -> PixelSize? {
    JPEGHeader.size(in: .init(bytes[...]))
  }

  private static func completeness(_ bytes: [UInt8]) -> ImageCompleteness {
    JPEGHeader.completeness(of: PictureSample(bytes))
  }

  @Test(arguments: [0xC0, 0xC1, 0xC2, 0xC9, 0xCF] as [UInt8])
  func `reads the size of every kind of frame`(marker: UInt8) {
    let bytes = Bytes.jpegStart + Bytes.jpegFrame(marker, width: 3, height: 2)

    #expect(Self.size(bytes) == PixelSize(width: 3, height: 2))
  }

  @Test(arguments: [0xC4, 0xC8, 0xCC] as [UInt8])
  func `takes no table for a frame`(marker: UInt8) {
    let bytes = Bytes.jpegStart + Bytes.jpegFrame(marker, width: 3, height: 2) + Bytes.jpegScan

    #expect(Self.size(bytes) == nil)
  }

  @Test func `steps over fill bytes and stray bytes`() {
    let bytes = Bytes.jpegStart + [0xFF, 0xFF, 1, 2] + Bytes.jpegFrame(width: 3, height: 2)

    #expect(Self.size(bytes) == PixelSize(width: 3, height: 2))
  }

  @Test func `has no size when the height comes only after the scan`() {
    #expect(Self.size(Bytes.jpegStart + Bytes.jpegFrame(width: 3, height: 0)) == nil)
  }

  @Test func `is whole with its end marker, whatever follows`() {
    #expect(Self.completeness(Bytes.jpeg) == .whole)
    #expect(Self.completeness(Bytes.jpeg + [0, 0, 0, 0x0A]) == .whole)
    #expect(Self.completeness(Bytes.jpeg + Bytes.mediaData) == .whole)
  }

  @Test func `is cut at every place before its end`() {
    for length in 3..<Bytes.jpeg.count {
      #expect(Self.completeness(Array(Bytes.jpeg.prefix(length))) == .cut)
    }
  }

  @Test func `is cut when only the picture in its metadata ends`() {
    let bytes = Bytes.jpegStart + Bytes.jpegMetadata + Bytes.jpegScan

    #expect(Self.completeness(bytes) == .cut)
  }

  @Test func `tells a long file by its first and last bytes`() {
    let head = Bytes.jpegStart + Bytes.jpegFrame(width: 3, height: 2) + Bytes.jpegScan
    let scan: [UInt8] = [1, 0xFF, 0, 2, 0xFF, 0xD7, 3, 0xFF]
    let ends: [(tail: [UInt8], expected: ImageCompleteness)] = [
      (scan + Bytes.jpegEnd, .whole), (scan + Bytes.jpegEnd + [0, 0], .whole), (scan, .cut),
      ([1, 2, 0xFF, 0x41, 3], .unknown),
    ]

    for (tail, expected) in ends {
      let sample = PictureSample(head: head, tail: tail, length: 1_000_000)
      #expect(JPEGHeader.completeness(of: sample) == expected)
    }
  }

  @Test func `tells a file with long metadata by its very end`() {
    let head = Bytes.jpegStart + [0xFF, 0xE2, 0xFF, 0xFF, 1, 2, 3]
    let whole = PictureSample(head: head, tail: [1, 0xFF, 0xD9, 0], length: 1_000_000)
    let open = PictureSample(head: head, tail: [0xFF, 0xD9, 1], length: 1_000_000)

    #expect(JPEGHeader.completeness(of: whole) == .whole)
    #expect(JPEGHeader.completeness(of: open) == .unknown)
  }
}

struct ISOMediaHeaderTests {
  private typealias Bytes = PictureBytes

  private static func size(_ bytes: [UInt8]) -> PixelSize? {
    ISOMediaHeader.size(in: .init(bytes[...]))
  }

  private static func completeness(_ bytes: [UInt8]) -> ImageCompleteness {
    ISOMediaHeader.completeness(of: PictureSample(bytes))
  }

  @Test func `takes the size of the primary item`() {
    let type = Bytes.fileType("heic")

    #expect(Self.size(type + Bytes.meta()) == PixelSize(width: 640, height: 480))
    #expect(Self.size(type + Bytes.meta(primaryItem: 1)) == PixelSize(width: 512, height: 512))
    let wide = type + Bytes.meta(wideIndices: true)
    #expect(Self.size(wide) == PixelSize(width: 640, height: 480))
  }

  @Test func `takes the first size when no primary item is known`() {
    let bytes = Bytes.fileType("heic") + Bytes.meta(primaryItem: 9)

    #expect(Self.size(bytes) == PixelSize(width: 512, height: 512))
  }

  @Test func `does not take the version of a brand for a brand`() {
    let bytes = Bytes.box("ftyp", Bytes.ascii("isom") + Bytes.ascii("avif"))

    #expect(ISOMediaHeader.format(of: .init(bytes[...])) == nil)
  }

  /// The brand of the codec takes the place of the minor version.
  @Test(arguments: [("avif", ImageFormat.avif), ("heic", .heic), ("vvic", nil)])
  func `tells the format of the short form`(brand: String, format: ImageFormat?) {
    let type = Bytes.box("ftyp", Bytes.ascii("mif3") + Bytes.ascii(brand))
    let file = type + Bytes.box("mini", [8, 8, 0x1F, 0x3E])

    #expect(PictureCheck(file)?.info.format == format)
    #expect(ImageHeader.isShortISOMedia(file))
    guard format != nil else { return }
    #expect(Self.completeness(file) == .whole)
    #expect(Self.completeness(Array(file.dropLast())) == .cut)
    #expect(Self.completeness(type) == .cut)
  }

  @Test func `other forms are not the short one`() {
    #expect(!ImageHeader.isShortISOMedia(Bytes.avif))
    #expect(!ImageHeader.isShortISOMedia(Bytes.fileType("avif", "mif3") + Bytes.meta()))
    #expect(!ImageHeader.isShortISOMedia(Array(Bytes.avif.prefix(10))))
  }

  @Test func `is whole when its boxes end where it ends`() {
    #expect(Self.completeness(Bytes.avif) == .whole)
    #expect(Self.completeness(Array(Bytes.avif.dropLast())) == .cut)
  }

  @Test func `is cut when the box of the picture is missing`() {
    let bytes = Bytes.fileType("avif") + Bytes.meta()

    #expect(Self.completeness(bytes) == .cut)
  }

  @Test func `is whole when the picture lies in its metadata`() {
    let bytes = Bytes.fileType("avif") + Bytes.fullBox("meta", Bytes.box("idat", [1, 2]))

    #expect(Self.completeness(bytes) == .whole)
  }

  @Test func `is unknown when its last box has no length`() {
    let bytes = Bytes.fileType("avif") + Bytes.meta() + Bytes.big(0, 4) + Bytes.ascii("mdat")

    #expect(Self.completeness(bytes + [1, 2, 3]) == .unknown)
  }

  @Test func `follows a box of 64 bits over what was not seen`() {
    let size = 1 << 33
    let head = Bytes.fileType("avif") + Bytes.meta()
    let large = Bytes.big(1, 4) + Bytes.ascii("mdat") + Bytes.big(size, 8)
    let length = head.count + size + 8
    let tail = Bytes.big(8, 4) + Bytes.ascii("free")

    let whole = PictureSample(head: head + large, tail: tail, length: length)
    let cut = PictureSample(head: head + large, tail: tail, length: length - 9)

    #expect(ISOMediaHeader.completeness(of: whole) == .whole)
    #expect(ISOMediaHeader.completeness(of: cut) == .cut)
  }

  @Test func `is unknown when a box begins in what was not seen`() {
    let sample = PictureSample(head: Bytes.avif, tail: [1, 2, 3], length: 10_000)

    #expect(ISOMediaHeader.completeness(of: sample) == .unknown)
  }
}

/// Files of JPEG 2000 that libvips must not get.
struct JPEG2000HeaderTests {
  private typealias Bytes = PictureBytes

  private static func undrawn(_ bytes: [UInt8]) -> UndrawnKind? {
    ImageHeader.undrawn(ofJPEG2000: { offset, count in
      offset >= 0 && count <= bytes.count - offset ? Array(bytes[offset..<offset + count]) : nil
    })
  }

  /// A codestream of 650 x 490 pixels, less an offset.
  private static func stream(_ x: Int, _ y: Int, segment: UInt8 = 0x51) -> [UInt8] {
    [0xFF, 0x4F, 0xFF, segment, 0, 47, 0, 0] + Bytes.big(650, 4) + Bytes.big(490, 4)
      + Bytes.big(x, 4) + Bytes.big(y, 4) + [0xFF, 0xD9]
  }

  private static let start =
    Bytes.box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + Bytes.fileType("jp2 ", "jp2 ")
  private static let size = Bytes.box("ihdr", Bytes.big(480, 4) + Bytes.big(640, 4))
  private static let palette = Bytes.box("pclr", [0, 1, 1, 7, 0])

  private static func file(header: [UInt8], _ boxes: [UInt8] = [], stream: [UInt8]) -> [UInt8] {
    start + Bytes.box("jp2h", header) + boxes + Bytes.box("jp2c", stream)
  }

  static let drawn: [[UInt8]] = [
    stream(0, 0), file(header: size, stream: stream(0, 0)),
    file(header: size + Bytes.box("colr", [2, 0, 0]), stream: stream(0, 0)),
    // Bytes that look like a palette, or a codestream behind the first.
    file(header: size + Bytes.box("colr", palette), stream: stream(0, 0)),
    file(header: size, Bytes.box("xml ", palette), stream: stream(0, 0)),
    file(header: size, stream: stream(0, 0)) + Bytes.box("jp2c", stream(1, 1)),
    // Cut: the library says so.
    Array(stream(1, 1).prefix(20)), file(header: size, stream: []), start, [],
    start + Bytes.big(7, 4) + Bytes.ascii("xml "),
  ]

  @Test(arguments: drawn)
  func `a JPEG 2000 without an offset and a palette goes to the library`(bytes: [UInt8]) {
    #expect(Self.undrawn(bytes) == nil)
  }

  static let refused: [[UInt8]] = [
    stream(10, 0), stream(0, 1), stream(0, 0, segment: 0x64),
    file(header: size, stream: stream(0, 0x8000_0000)),
    file(header: size, stream: stream(0, 0, segment: 0x30)),
    file(header: size, Bytes.box("xml ", .init(repeating: 7, count: 70_000)), stream: stream(3, 3)),
    file(header: size + palette, stream: stream(0, 0)),
    file(header: palette + size, stream: stream(0, 0)),
    file(header: size, palette, stream: stream(0, 0)),
    // The lengths in 64 bits, and an open one.
    start + Bytes.box("jp2h", size) + Bytes.big(1, 4) + Bytes.ascii("jp2c") + Bytes.big(99, 8)
      + stream(4, 4),
    start + Bytes.box("jp2h", size) + Bytes.big(0, 4) + Bytes.ascii("jp2c") + stream(4, 4),
    // Lengths that no box has.
    start + Bytes.box("jp2h", size) + Bytes.big(7, 4) + Bytes.ascii("jp2c") + stream(4, 4),
    start + Bytes.box("jp2h", size) + Bytes.big(1, 4) + Bytes.ascii("jp2c") + Bytes.big(9, 8)
      + stream(4, 4),
  ]

  @Test(arguments: refused)
  func `a JPEG 2000 with an offset or a palette does not`(bytes: [UInt8]) {
    #expect(Self.undrawn(bytes) == .newerForm)
  }
}
