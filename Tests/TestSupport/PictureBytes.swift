/// Small picture files, assembled by hand from their specifications.
///
/// They have the headers and ends that a check reads, but no picture that could be decoded.
package enum PictureBytes {
  package static func big(_ value: Int, _ count: Int) -> [UInt8] {
    little(value, count).reversed()
  }

  package static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  package static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: JPEG

  package static func jpegSegment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(body.count + 2, 2) + body
  }

  package static func jpegFrame(_ marker: UInt8 = 0xC0, width: Int, height: Int) -> [UInt8] {
    jpegSegment(marker, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
  }

  package static let jpegScan: [UInt8] =
    jpegSegment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]

  /// Metadata that contains another small picture, with an end marker.
  package static let jpegMetadata: [UInt8] = jpegSegment(
    0xE1,
    ascii("Exif\0\0") + [0xFF, 0xD8] + jpegFrame(width: 160, height: 120) + [0xFF, 0xD9]
  )

  package static let jpegStart: [UInt8] = [0xFF, 0xD8]
  package static let jpegEnd: [UInt8] = [0xFF, 0xD9]

  package static let jpeg: [UInt8] =
    jpegStart + jpegMetadata + jpegFrame(width: 640, height: 480) + jpegScan + jpegEnd

  /// A picture with this many bytes in its scan.
  package static func longJPEG(_ count: Int) -> [UInt8] {
    jpegStart + jpegFrame(width: 640, height: 480) + jpegScan
      + [UInt8](repeating: 0x55, count: count) + jpegEnd
  }

  // MARK: PNG, GIF, BMP, TIFF, SVG

  package static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  package static let pngEnd: [UInt8] = [0, 0, 0, 0] + ascii("IEND") + [0xAE, 0x42, 0x60, 0x82]

  package static let png: [UInt8] =
    pngSignature + big(13, 4) + ascii("IHDR") + big(640, 4) + big(480, 4) + [8, 2, 0, 0, 0]
    + big(0, 4) + big(3, 4) + ascii("IDAT") + [1, 2, 3] + big(0, 4) + pngEnd

  package static let gif: [UInt8] =
    ascii("GIF89a") + little(640, 2) + little(480, 2) + [0, 0, 0]
    + [0x2C] + little(0, 4) + little(640, 2) + little(480, 2) + [0, 2, 2, 0x4C, 0x01, 0x00, 0x3B]

  package static let bmp: [UInt8] =
    ascii("BM") + little(58, 4) + little(0, 4) + little(54, 4) + little(40, 4)
    + little(640, 4) + little(-480, 4) + little(1, 2) + little(24, 2) + little(0, 24)
    + [1, 2, 3, 0]

  package static let tiff: [UInt8] =
    ascii("II") + little(42, 2) + little(8, 4) + little(2, 2)
    + little(256, 2) + little(3, 2) + little(1, 4) + little(640, 4)
    + little(257, 2) + little(4, 2) + little(1, 4) + little(480, 4) + little(0, 4)

  package static let pbm =
    ascii("P4\n# a comment\n640 480\n") + [UInt8](repeating: 9, count: 80 * 480)
  package static let ppm = ascii("P6 2 1 255\nabcdef")

  /// A picture of 32 x 16 pixels and a larger one.
  package static let icon: [UInt8] =
    [0, 0, 1, 0, 2, 0] + [32, 16, 0, 0, 1, 0, 32, 0] + little(20, 4) + little(38, 4)
    + [48, 0, 0, 0, 1, 0, 32, 0] + little(20, 4) + little(58, 4)
    + [UInt8](repeating: 7, count: 40)

  package static let svg = ascii(
    "<?xml version=\"1.0\"?>\n<!-- <html> -->\n<!DOCTYPE svg [ <!ENTITY a \"]b>\"> ]>\n"
      + "<s:svg xmlns:s=\"http://www.w3.org/2000/svg\"><s:g/></s:svg>\n<!-- end -->\n"
  )

  // MARK: WebP

  package static func webP(_ chunk: String, _ body: [UInt8]) -> [UInt8] {
    ascii("RIFF") + little(body.count + 12, 4) + ascii("WEBP" + chunk) + little(body.count, 4)
      + body
  }

  package static let lossyWebP = webP(
    "VP8 ",
    [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(640, 2) + little(480 | 0x4000, 2)
  )

  package static let losslessWebP = webP("VP8L", [0x2F] + little(639 | 479 << 14, 4) + [0])

  package static let extendedWebP = webP("VP8X", [0, 0, 0, 0] + little(639, 3) + little(479, 3))
}

extension PictureBytes {
  package static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    big(body.count + 8, 4) + ascii(type) + body
  }

  /// A box with version and flags.
  package static func fullBox(_ type: String, _ body: [UInt8], flags: Int = 0) -> [UInt8] {
    box(type, big(flags, 4) + body)
  }

  package static func fileType(_ brand: String, _ compatible: String...) -> [UInt8] {
    box("ftyp", ascii(brand) + big(0, 4) + compatible.flatMap(ascii))
  }

  package static func extent(width: Int, height: Int) -> [UInt8] {
    fullBox("ispe", big(width, 4) + big(height, 4))
  }

  /// Two items: a tile first, and the picture that consists of tiles.
  package static func meta(primaryItem: Int = 2, wideIndices: Bool = false) -> [UInt8] {
    let properties = extent(width: 512, height: 512) + extent(width: 640, height: 480)
    let index = { wideIndices ? big($0 | 0x8000, 2) : [UInt8($0 | 0x80)] }
    let entries = big(1, 2) + [1] + index(1) + big(2, 2) + [1] + index(2)
    let associations = fullBox("ipma", big(2, 4) + entries, flags: wideIndices ? 1 : 0)
    return fullBox(
      "meta",
      fullBox("pitm", big(primaryItem, 2)) + box("iprp", box("ipco", properties) + associations)
    )
  }

  package static let mediaData = box("mdat", [UInt8](repeating: 7, count: 100))

  package static let avif = fileType("avif", "mif1", "miaf") + meta() + mediaData
  package static let heic = fileType("mif1", "mif1", "heic") + meta() + mediaData

  package static let bareJXL: [UInt8] = [0xFF, 0x0A, 0xF8, 0x3E]

  package static let boxedJXL: [UInt8] =
    box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + fileType("jxl ", "jxl ") + box("jxlc", bareJXL)

  package static let bareJPEG2000: [UInt8] =
    [0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0] + big(650, 4) + big(490, 4) + big(10, 4) + big(10, 4)
    + [0xFF, 0xD9]

  package static let boxedJPEG2000: [UInt8] =
    box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + fileType("jp2 ", "jp2 ")
    + box("jp2h", box("ihdr", big(480, 4) + big(640, 4) + [0, 3, 7, 7, 0, 0]))
    + box("jp2c", bareJPEG2000)

  /// A picture of every kind.
  package static let all: [[UInt8]] = [
    jpeg, png, gif, bmp, tiff, svg, lossyWebP, losslessWebP, extendedWebP, avif, heic, bareJXL,
    boxedJXL, ppm, icon, bareJPEG2000, boxedJPEG2000,
  ]
}
