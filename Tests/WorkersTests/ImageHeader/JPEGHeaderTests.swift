import Testing

@testable import Workers

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
