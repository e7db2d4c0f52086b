/// The smallest files that are pictures to a program that looks at headers, one a format.
enum PictureSeeds {
  static let all = [
    jpeg, png, gif, webP, webPLossless, webPExtended, tiff, bigTIFF, bmp, avif, heic, jpegXL,
    boxedJPEGXL,
    svg,
  ]

  /// An application segment, a frame header, a scan, the end.
  static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 32, 0, 48, 1, 1, 17, 0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xFF, 0x00, 0xFF, 0xD0, 2, 0xFF, 0xD9]

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + text("IHDR")
    + [0, 0, 0, 48, 0, 0, 0, 32, 8, 2, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0] + text("IEND")
    + [0xAE, 0x42, 0x60, 0x82]

  private static let gif: [UInt8] = text("GIF89a") + [48, 0, 32, 0, 0, 0, 0, 0x2C, 0, 0x3B]

  private static let webP: [UInt8] =
    text("RIFF") + [22, 0, 0, 0] + text("WEBPVP8 ") + [10, 0, 0, 0, 0, 0, 0, 0x9D, 1, 0x2A]
    + [48, 0, 32, 0]

  private static let webPLossless: [UInt8] =
    text("RIFF") + [18, 0, 0, 0] + text("WEBPVP8L") + [5, 0, 0, 0, 0x2F, 47, 0xC0, 7, 0, 0]

  private static let webPExtended: [UInt8] =
    text("RIFF") + [22, 0, 0, 0] + text("WEBPVP8X") + [10, 0, 0, 0, 0, 0, 0, 0, 47, 0, 0, 31, 0, 0]

  private static let tiff: [UInt8] =
    [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 48, 0, 0, 0]
    + [1, 1, 4, 0, 1, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0]

  private static let bigTIFF: [UInt8] =
    [0x4D, 0x4D, 0, 43, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0]

  private static let bmp: [UInt8] =
    text("BM") + [58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 48, 0, 0, 0]
    + [0xE0, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 32)

  private static let avif = media(brand: "avif")

  private static let heic = media(brand: "heic")

  private static func media(brand: String) -> [UInt8] {
    box("ftyp", text("mif1") + [0, 0, 0, 0] + text(brand)) + box("meta", [0, 0, 0, 0] + items)
      + box("mdat", [1, 2, 3, 4])
  }

  private static let items: [UInt8] =
    box("pitm", [0, 0, 0, 0, 0, 1])
    + box("iprp", box("ipco", extent) + box("ipma", [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0x81]))

  private static let extent: [UInt8] = box("ispe", [0, 0, 0, 0, 0, 0, 0, 48, 0, 0, 0, 32])

  static let jpegXL: [UInt8] = [0xFF, 0x0A, 0, 0x10, 0x90]

  private static let boxedJPEGXL: [UInt8] =
    [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    + box("ftyp", text("jxl ") + [0, 0, 0, 0] + text("jxl ")) + box("jxlc", jpegXL)

  private static let svg = text(
    """
    <?xml version="1.0"?><!-- a --><!DOCTYPE svg [<!ENTITY a "]>">]>
    <s:svg xmlns:s="http://www.w3.org/2000/svg" width="48"><g/></s:svg>
    """
  )

  private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(8 + body.count)] + text(type) + body
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}
