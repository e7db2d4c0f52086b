import Models
import TestSupport
import Testing

@testable import PictureFiles

/// Edits that let libraries read what a file holds.
struct PictureEditsTests {
  private func webP(_ bytes: [UInt8]) -> PictureEdits {
    PictureEdits(ofWebP: { offset, count in
      offset + count <= bytes.count ? Array(bytes[offset..<offset + count]) : nil
    })
  }

  private static func riff(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    let body = chunks.flatMap { name, content in
      Array(name.utf8) + PictureBytes.little(content.count, 4) + content
        + [UInt8](repeating: 0, count: content.count % 2)
    }
    return Array("RIFF".utf8) + PictureBytes.little(body.count + 4, 4) + Array("WEBP".utf8) + body
  }

  private static func extended(flags: UInt8) -> (String, [UInt8]) {
    ("VP8X", [flags, 0, 0, 0] + PictureBytes.little(9, 3) + PictureBytes.little(9, 3))
  }

  /// The header of a lossless picture of 10 x 10 pixels.
  private static func lossless(hasAlpha: Bool) -> (String, [UInt8]) {
    ("VP8L", [0x2F] + PictureBytes.little(9 | 9 << 14 | (hasAlpha ? 1 : 0) << 28, 4))
  }

  private static let frame = [UInt8](repeating: 0, count: 16)

  static let denied: [[UInt8]] = [
    riff([extended(flags: 0), lossless(hasAlpha: true)]),
    riff([extended(flags: 8), ("ICCP", [1, 2, 3]), lossless(hasAlpha: true)]),
    riff([extended(flags: 0), ("ALPH", [0]), ("VP8 ", [0, 0])]),
    riff([extended(flags: 2), ("ANMF", frame + riff([lossless(hasAlpha: true)]).dropFirst(12))]),
  ]

  @Test(arguments: denied)
  func `a WebP whose flags deny its alpha gets the flag`(bytes: [UInt8]) {
    let replacement = PictureEdits.Replacement(offset: 20, bytes: [bytes[20] | 0x10])

    #expect(webP(bytes).replacements == [replacement])
  }

  static let right: [[UInt8]] = [
    riff([extended(flags: 0x10), lossless(hasAlpha: true)]),
    riff([extended(flags: 0), lossless(hasAlpha: false)]), riff([lossless(hasAlpha: true)]),
    riff([extended(flags: 0), ("VP8 ", [0, 0]), lossless(hasAlpha: true)]),
    riff([extended(flags: 0)]), Array("RIFF".utf8), [],
  ]

  @Test(arguments: right)
  func `other WebP files stay as they are`(bytes: [UInt8]) { #expect(webP(bytes).isEmpty) }

  private static let telling = riff([
    extended(flags: 0x3C), ("ICCP", [1, 2, 3]), lossless(hasAlpha: true), ("EXIF", [1]),
    ("XMP ", [1, 2]),
  ])

  @Test func `a WebP loses EXIF, XMP and profile, and keeps its pixels`() {
    let bare = Self.riff([Self.extended(flags: 0x10), Self.lossless(hasAlpha: true)])

    #expect(ImageHeader.withoutMetadata(ofWebP: Self.telling) == bare)
  }

  private static let untold: [[UInt8]] = [
    telling.dropLast(1), telling + [0], riff([lossless(hasAlpha: true), ("EXIF", [1])]),
    riff([("VP8X", [0x3C]), ("EXIF", [1])]), riff([("EXIF", [1]), extended(flags: 8)]),
    PictureBytes.jpeg,
  ]

  @Test(arguments: right + untold)
  func `a file without them, or that is not well formed, loses nothing`(bytes: [UInt8]) {
    #expect(ImageHeader.withoutMetadata(ofWebP: bytes) == nil)
  }

  private typealias Bytes = PictureBytes

  private static let type = Bytes.fileType("avif", "mif1")
  /// The box of items with more boxes in it, which begin at `added`.
  private static func media(_ boxes: [UInt8]) -> (file: [UInt8], added: Int) {
    let body = Array(Bytes.meta().dropFirst(8))
    let file = type + Bytes.box("meta", body + boxes)
    return (file + Bytes.mediaData, type.count + 8 + body.count)
  }

  @Test func `an AVIF whose items reach to its end gets their length`() {
    let (closed, added) = Self.media(Bytes.box("idat", [1, 2, 3]))
    let file = Array(closed.dropLast(Bytes.mediaData.count))
    var open = file
    open.replaceSubrange(Self.type.count..<Self.type.count + 4, with: [0, 0, 0, 0])
    let length = PictureEdits.Replacement(
      offset: Self.type.count,
      bytes: Bytes.big(added + 11 - Self.type.count, 4)
    )

    #expect(PictureEdits(ofISOMedia: open, length: open.count).replacements == [length])
    #expect(PictureEdits(ofISOMedia: file, length: file.count).isEmpty)
    // A beginning alone, in a longer file, and one that four bytes do not hold.
    let part = PictureEdits(ofISOMedia: open, length: 70_000).replacements
    #expect(part.first?.bytes == Bytes.big(70_000 - Self.type.count, 4))
    #expect(PictureEdits(ofISOMedia: open, length: 5 << 32).isEmpty)
  }

  private static func group(_ type: String) -> [UInt8] {
    Bytes.box("grpl", Bytes.fullBox(type, Bytes.big(1, 4) + Bytes.big(0, 4)))
  }

  @Test func `an AVIF with a pyramid loses its groups`() {
    let (file, added) = Self.media(Self.group("pymd"))
    let replacement = PictureEdits.Replacement(offset: added + 4, bytes: Bytes.ascii("free"))

    #expect(PictureEdits(ofISOMedia: file, length: file.count).replacements == [replacement])
  }

  static let unchanged: [[UInt8]] = [
    media(group("altr")).file, media(Bytes.box("free", group("pymd"))).file, Bytes.avif,
    Bytes.heic, type, [],
  ]

  @Test(arguments: unchanged)
  func `other AVIF and HEIC files stay as they are`(bytes: [UInt8]) {
    #expect(PictureEdits(ofISOMedia: bytes, length: bytes.count).isEmpty)
  }

  @Test(arguments: [1, 2])
  func `a JPEG that lacks only its end gets it`(missing: Int) {
    #expect(PictureEdits(ofJPEG: PictureBytes.jpeg.dropLast(missing))?.end == [0xFF, 0xD9])
  }

  private static let twoColours: [UInt8] =
    PictureBytes.jpegStart
    + PictureBytes.jpegSegment(0xC0, [8, 0, 8, 0, 8, 2, 1, 0x11, 0, 2, 0x11, 0])
    + PictureBytes.jpegScan

  private static func progressive(_ scans: [[UInt8]]) -> [UInt8] {
    PictureBytes.jpegStart + PictureBytes.jpegFrame(0xC2, width: 8, height: 8)
      + scans.flatMap { PictureBytes.jpegSegment(0xDA, [1, 1, 0] + $0) + [0x12, 0x34] }
  }

  static let incomplete: [[UInt8]] = [
    PictureBytes.jpeg, PictureBytes.jpeg.dropLast(19), twoColours, progressive([[0, 0, 0]]),
    progressive([[0, 0, 1], [1, 63, 0]]), progressive([[0, 0, 0], [1, 62, 0]]), [],
    PictureBytes.png,
  ]

  @Test(arguments: incomplete)
  func `a JPEG that has its end, or lacks more, gets none`(bytes: [UInt8]) {
    #expect(PictureEdits(ofJPEG: bytes) == nil)
  }

  @Test func `a progressive JPEG with all its scans gets its end`() {
    let bytes = Self.progressive([
      [0, 0, 1], [1, 63, 2], [0, 0, 0x10], [1, 63, 0x21], [1, 63, 0x10],
    ])

    #expect(PictureEdits(ofJPEG: bytes)?.end == [0xFF, 0xD9])
  }
}

/// The sides of thumbnails.
struct ThumbnailSidesTests {
  @Test(arguments: [
    (4_000, 3_000, 640, 640), (2_560, 640, 640, 640), (12_000, 1_200, 1_600, 640),
    (30_000, 600, 2_560, 640), (600, 30_000, 640, 2_560), (1_000, 100, 1_000, 640),
    (600, 10, 640, 640), (0, 0, 640, 640),
  ])
  func `a box is longer for panoramas and strips`(
    width: Int,
    height: Int,
    boxWidth: Int,
    boxHeight: Int
  ) {
    let box = ThumbnailSides.box(longestSide: 640, width: width, height: height)

    #expect((box.width, box.height) == (boxWidth, boxHeight))
  }

  @Test(arguments: [(640, 480, true), (1_600, 160, true), (2_560, 51, true), (641, 161, false)])
  func `a thumbnail may be longer if it is low`(width: Int, height: Int, isAllowed: Bool) {
    #expect(ThumbnailSides.allow(width, height, longestSide: 640) == isAllowed)
    #expect(ThumbnailSides.allow(height, width, longestSide: 640) == isAllowed)
    #expect(!ThumbnailSides.allow(2_561, height, longestSide: 640))
  }
}
