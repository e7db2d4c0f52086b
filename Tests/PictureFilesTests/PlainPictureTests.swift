import Models
import TestSupport
import Testing

@testable import PictureFiles

/// Pictures of 4 x 2 pixels: red, red, blue, blue above green, green, black, black.
struct PlainPictureTests {
  private static let red: [UInt8] = [255, 0, 0]
  private static let blue: [UInt8] = [0, 0, 255]
  private static let green: [UInt8] = [0, 255, 0]
  private static let black: [UInt8] = [0, 0, 0]
  private static let expected = [red, red, blue, blue, green, green, black, black].flatMap(\.self)
  private static let palette: [UInt8] = [0, 0, 255, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0]

  private static func bmp(
    bits: Int,
    packing: Int = 0,
    height: Int = 2,
    palette: [UInt8] = [],
    _ pixels: [UInt8]
  ) -> [UInt8] {
    let header =
      PictureBytes.little(40, 4) + PictureBytes.little(4, 4) + PictureBytes.little(height, 4)
      + PictureBytes.little(1, 2) + PictureBytes.little(bits, 2) + PictureBytes.little(packing, 4)
      + PictureBytes.little(0, 12) + PictureBytes.little(palette.count / 4, 4)
      + PictureBytes.little(0, 4)
    let start = 54 + palette.count
    return PictureBytes.ascii("BM") + PictureBytes.little(start + pixels.count, 4)
      + PictureBytes.little(0, 4) + PictureBytes.little(start, 4) + header + palette + pixels
  }

  /// 15 bits per pixel: five for each colour.
  private static let shorts: [UInt8] =
    [0xE0, 3, 0xE0, 3, 0, 0, 0, 0, 0, 0x7C, 0, 0x7C, 0x1F, 0, 0x1F, 0]

  private static let masks: [UInt8] = [0, 0x7C, 0, 0, 0xE0, 3, 0, 0, 0x1F, 0, 0, 0]

  private static let sound: [(ImageFormat, [UInt8])] = [
    (.bmp, bmp(bits: 8, palette: palette, [2, 2, 3, 3, 0, 0, 1, 1])),
    (.bmp, bmp(bits: 8, height: -2, palette: palette, [0, 0, 1, 1, 2, 2, 3, 3])),
    (.bmp, bmp(bits: 4, palette: palette, [0x22, 0x33, 0, 0, 0x00, 0x11, 0, 0])),
    (.bmp, bmp(bits: 16, shorts)),
    (.bmp, bmp(bits: 16, packing: 3, palette: masks, shorts)),
    (
      .bmp,
      bmp(bits: 8, packing: 1, palette: palette, [2, 2, 2, 3, 0, 0, 0, 4, 0, 0, 1, 1, 0, 1])
    ),
    (
      .bmp,
      bmp(bits: 4, packing: 2, palette: palette, [2, 0x22, 2, 0x33, 0, 0, 2, 0, 2, 0x11, 0, 1])
    ),
    (.pnm, PictureBytes.ascii("P6 4 2 255\n") + expected),
    (
      .pnm,
      PictureBytes.ascii("P3 4 2 1\n1 0 0 1 0 0  0 0 1 0 0 1\n0 1 0 0 1 0 0 0 0 0 0 0")
    ),
    (.pnm, PictureBytes.ascii("P6 4 2 65535\n") + expected.flatMap { [$0, $0] }),
  ]

  @Test(arguments: sound.indices)
  func `reads each way of writing pixels`(index: Int) throws {
    let (format, bytes) = Self.sound[index]
    let content = try PlainPicture.read(bytes, as: format, isPartial: false, limit: 100)

    guard case .pixels(let picture) = content else {
      Issue.record("a PNG file")
      return
    }
    #expect((picture.width, picture.height, picture.bands) == (4, 2, 3))
    #expect(picture.pixels == Self.expected)
  }

  @Test(arguments: ["P1 4 2 1100 0011", "P4 4 2 \u{0}"])
  func `reads bits, of which 1 is black`(text: String) throws {
    let isPacked = text.utf8.starts(with: "P4".utf8)
    let bytes = Array(text.utf8.dropLast(isPacked ? 1 : 0)) + (isPacked ? [0xC0, 0x30] : [])
    let content = try PlainPicture.read(bytes, as: .pnm, isPartial: false, limit: 100)

    guard case .pixels(let picture) = content else { return }
    #expect(picture.bands == 1)
    #expect(picture.pixels == [0, 0, 255, 255, 255, 255, 0, 0])
  }

  @Test(arguments: sound.indices)
  func `a part is refused, or shown as far as it came`(index: Int) throws {
    let (format, bytes) = Self.sound[index]
    let part = Array(bytes.dropLast(8))

    #expect(throws: PlainPictureError.damaged("it ends before its last row")) {
      try PlainPicture.read(part, as: format, isPartial: false, limit: 100)
    }
    _ = try PlainPicture.read(part, as: format, isPartial: true, limit: 100)
  }

  @Test func `what takes too much is refused before it is read`() {
    let bytes = PictureBytes.ascii("P6 20000 20000 255\n")

    #expect(throws: PlainPictureError.tooLarge(bytes: 1_200_000_000)) {
      try PlainPicture.read(bytes, as: .pnm, isPartial: false, limit: 1_000_000)
    }
  }

  @Test(arguments: [(24, 4), (24, 5), (8, 2), (3, 0)])
  func `other packing is not read`(bits: Int, packing: Int) {
    let bytes = Self.bmp(bits: bits, packing: packing, [0])

    #expect(throws: PlainPictureError.packed) {
      try PlainPicture.read(bytes, as: .bmp, isPartial: false, limit: 100)
    }
  }
}
