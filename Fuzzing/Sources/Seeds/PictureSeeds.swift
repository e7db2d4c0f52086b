/// One file for each format, as small as possible, which a program that reads only headers accepts.
enum PictureSeeds {
  static let all = [
    jpeg, png, gif, webP, webPLossless, webPExtended, tiff, bigTIFF, bmp, avif, heic, jpegXL,
    boxedJPEGXL,
    svg, pixelBMP, runBMP, icon, ppm, pbm, jpeg2000, exif, xmp, codedPNG, gainMap, shortAVIF,
    reducedTIFF, signedTIFF, codedJPEGXL,
  ]

  /// An application segment, a frame header, a scan, and the end.
  static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 32, 0, 48, 1, 1, 17, 0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xFF, 0x00, 0xFF, 0xD0, 2, 0xFF, 0xD9]

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + text("IHDR")
    + [0, 0, 0, 48, 0, 0, 0, 32, 8, 2, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0] + text("IEND")
    + [0xAE, 0x42, 0x60, 0x82]

  /// Colours that cICP names, and a gamma, each with its checksum.
  private static let codedPNG: [UInt8] = {
    var bytes = Array(png.prefix(33))
    bytes += [0, 0, 0, 4] + text("cICP") + [9, 16, 0, 1, 0x4D, 0x23, 0x23, 0xFE]
    bytes += [0, 0, 0, 4] + text("gAMA") + [0, 1, 0x86, 0xA0, 0x31, 0xE8, 0x96, 0x5F]
    bytes += [0, 0, 0, 0] + text("IDAT") + [0x35, 0xAF, 0x06, 0x1E]
    return bytes + png.suffix(12)
  }()

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

  /// All that is read of XMP, as attributes and as elements.
  private static let xmp = text(
    """
    <rdf:Description tiff:Make="A" tiff:Model='B&amp;C' exif:FNumber="28/10" \
    exif:ExposureTime="1/250" exif:DateTimeOriginal="2019" photoshop:DateCreated="1935-06" \
    xmp:CreateDate="2019-07-14T18:02:33.4+02:00" exif:GPSLatitude="48,51.5N" \
    exif:GPSLongitude="2,17,40E"><aux:Lens>D</aux:Lens><exif:ISOSpeedRatings><rdf:Seq>\
    <rdf:li>200</rdf:li></rdf:Seq></exif:ISOSpeedRatings></rdf:Description>
    """
  )

  /// A smaller copy, and the full picture in a directory below it.
  private static let reducedTIFF: [UInt8] = {
    let small = directory([(254, 4, 1), (256, 3, 48), (257, 3, 32), (330, 4, 62)])
    let full = directory([
      (256, 3, 96), (257, 3, 64), (258, 3, 8), (262, 3, 1), (273, 4, 8), (279, 4, 4),
    ])
    return tiff.prefix(8) + small + full
  }()

  /// Grey bytes that are marked as signed.
  private static let signedTIFF: [UInt8] = {
    let only = directory([
      (256, 3, 2), (257, 3, 2), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8), (277, 3, 1),
      (278, 3, 2), (279, 4, 4), (339, 3, 2),
    ])
    return tiff.prefix(8) + only
  }()

  /// A directory of TIFF with numbers below 256, each with its tag and its type, and without a next one.
  private static func directory(_ entries: [(tag: Int, type: UInt8, value: UInt8)]) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(entries.count), 0]
    for entry in entries {
      bytes.append(UInt8(entry.tag & 0xFF))
      bytes.append(UInt8(entry.tag >> 8))
      bytes += [entry.type, 0, 1, 0, 0, 0, entry.value, 0, 0, 0]
    }
    bytes += [0, 0, 0, 0]
    return bytes
  }

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

  /// A picture in PQ with a gain map, whose metadata describes both, and a pyramid.
  private static let gainMap: [UInt8] = {
    let points: [UInt8] = [0, 9, 0, 16, 0, 9, 0x80]
    let properties = box("ipco", extent + box("colr", text("nclx") + points))
    let ofItem = box("ipma", [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 0x81, 2])
    var references: [UInt8] = [0, 0, 0, 0]
    references += box("dimg", [0, 2, 0, 2, 0, 1, 0, 4])
    references += box("cdsc", [0, 3, 0, 2, 0, 1, 0, 2])
    var parts: [UInt8] = [0, 0, 0, 0]
    parts += box("pitm", [0, 0, 0, 0, 0, 1])
    parts += box("iref", references)
    parts += box("iprp", properties + ofItem)
    parts += box("grpl", box("pymd", [0, 0, 0, 0, 0, 0, 0, 5]))
    let brands = text("heic") + [0, 0, 0, 0] + text("mif1tmap")
    return box("ftyp", brands) + box("meta", parts) + box("mdat", [1, 2, 3, 4])
  }()

  /// The short form, whose box has all about the picture and the picture itself.
  private static let shortAVIF: [UInt8] =
    box("ftyp", text("mif3avif")) + box("mini", [0, 0x20, 47, 31, 0x12, 0, 0x0A, 0])

  private static func media(brand: String) -> [UInt8] {
    box("ftyp", text("mif1") + [0, 0, 0, 0] + text(brand)) + box("meta", [0, 0, 0, 0] + items)
      + box("mdat", [1, 2, 3, 4])
  }

  private static let items: [UInt8] =
    box("pitm", [0, 0, 0, 0, 0, 1])
    + box("iprp", box("ipco", extent) + box("ipma", [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0x81]))

  private static let extent: [UInt8] = box("ispe", [0, 0, 0, 0, 0, 0, 0, 48, 0, 0, 0, 32])

  static let jpegXL: [UInt8] = [0xFF, 0x0A, 0, 0x10, 0x90]

  /// In BT.2020 with PQ, with alpha: the beginning of a file by cjxl.
  private static let codedJPEGXL: [UInt8] = [0xFF, 0x0A, 0xC3, 0xF1, 0xA3, 0x21, 0x8F, 0x1E, 0x01]

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
