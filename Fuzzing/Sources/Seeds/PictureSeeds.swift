/// One file for each format, as small as possible, which a program that reads only headers accepts.
enum PictureSeeds {
  static let all = [
    jpeg, png, gif, webP, webPLossless, webPExtended, tiff, bigTIFF, bmp, avif, heic, jpegXL,
    boxedJPEGXL,
    svg, pixelBMP, runBMP, icon, ppm, pbm, jpeg2000, exif,
  ]

  /// An application segment, a frame header, a scan, and the end.
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

  /// The model of a camera, and a directory of a photograph that is the first one.
  private static let exif: [UInt8] =
    [0x49, 0x49, 42, 0, 8, 0, 0, 0, 3, 0, 0x10, 1, 2, 0, 3, 0, 0, 0] + text("X1") + [0, 0]
    + [0x27, 0x88, 3, 0, 1, 0, 0, 0, 200, 0, 0, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]
    + [0, 0, 0, 0]

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

  /// 2 x 1 pixels of three bytes each.
  private static let pixelBMP: [UInt8] =
    text("BM") + [62, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0] + bitmap(bits: 24, packing: 0)
    + [1, 2, 3, 4, 5, 6, 0, 0]

  /// Two colours, then a run, a step, uncompressed pixels, and the end.
  private static let runBMP: [UInt8] =
    text("BM") + [76, 0, 0, 0, 0, 0, 0, 0, 62, 0, 0, 0] + bitmap(bits: 8, packing: 1)
    + [1, 2, 3, 0, 4, 5, 6, 0, 1, 1, 0, 2, 0, 0, 0, 3, 1, 0, 1, 0, 0, 1]

  private static func bitmap(bits: UInt8, packing: UInt8, height: UInt8 = 1) -> [UInt8] {
    [40, 0, 0, 0, 2, 0, 0, 0, height, 0, 0, 0, 1, 0, bits, 0, packing, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
  }

  private static let icon: [UInt8] =
    [0, 0, 1, 0, 1, 0, 2, 1, 0, 0, 1, 0, 24, 0, 52, 0, 0, 0, 22, 0, 0, 0]
    + bitmap(bits: 24, packing: 0, height: 2) + [1, 2, 3, 4, 5, 6, 0, 0, 0x80, 0, 0, 0]

  private static let ppm = text("P6 #a\n2 1\n255\nabcdef")

  private static let pbm = text("P1\n2 2\n1001")

  private static let jpeg2000: [UInt8] =
    [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    + box("jp2h", box("ihdr", [0, 0, 0, 32, 0, 0, 0, 48, 0, 3, 7, 7, 0, 0])) + box("jp2c", [1])

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
