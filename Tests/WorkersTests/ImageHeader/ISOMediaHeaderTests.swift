import Models
import Testing

@testable import Workers

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
