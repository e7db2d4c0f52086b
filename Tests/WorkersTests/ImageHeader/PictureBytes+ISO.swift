extension PictureBytes {
  static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    big(body.count + 8, 4) + ascii(type) + body
  }

  /// A box with version and flags.
  static func fullBox(_ type: String, _ body: [UInt8], flags: Int = 0) -> [UInt8] {
    box(type, big(flags, 4) + body)
  }

  static func fileType(_ brand: String, _ compatible: String...) -> [UInt8] {
    box("ftyp", ascii(brand) + big(0, 4) + compatible.flatMap(ascii))
  }

  static func extent(width: Int, height: Int) -> [UInt8] {
    fullBox("ispe", big(width, 4) + big(height, 4))
  }

  /// Two items: a tile first, and the picture that is put together from tiles.
  static func meta(primaryItem: Int = 2, wideIndices: Bool = false) -> [UInt8] {
    let properties = extent(width: 512, height: 512) + extent(width: 640, height: 480)
    let index = { wideIndices ? big($0 | 0x8000, 2) : [UInt8($0 | 0x80)] }
    let entries = big(1, 2) + [1] + index(1) + big(2, 2) + [1] + index(2)
    let associations = fullBox("ipma", big(2, 4) + entries, flags: wideIndices ? 1 : 0)
    return fullBox(
      "meta",
      fullBox("pitm", big(primaryItem, 2)) + box("iprp", box("ipco", properties) + associations)
    )
  }

  static let mediaData = box("mdat", [UInt8](repeating: 7, count: 100))

  static let avif = fileType("avif", "mif1", "miaf") + meta() + mediaData
  static let heic = fileType("mif1", "mif1", "heic") + meta() + mediaData

  static let bareJXL: [UInt8] = [0xFF, 0x0A, 0x41, 0x42]

  static let boxedJXL: [UInt8] =
    box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + fileType("jxl ", "jxl ") + box("jxlc", bareJXL)

  static let bareJPEG2000: [UInt8] =
    [0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0] + big(650, 4) + big(490, 4) + big(10, 4) + big(10, 4)
    + [0xFF, 0xD9]

  static let boxedJPEG2000: [UInt8] =
    box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + fileType("jp2 ", "jp2 ")
    + box("jp2h", box("ihdr", big(480, 4) + big(640, 4) + [0, 3, 7, 7, 0, 0]))
    + box("jp2c", bareJPEG2000)

  /// Every kind there is.
  static let all: [[UInt8]] = [
    jpeg, png, gif, bmp, tiff, svg, lossyWebP, losslessWebP, extendedWebP, avif, heic, bareJXL,
    boxedJXL, ppm, icon, bareJPEG2000, boxedJPEG2000,
  ]
}
