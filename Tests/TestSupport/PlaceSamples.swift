/// Small pictures that tell a place wherever their formats have one; every place has the word "PLACE" or the numbers of
/// `EXIFSample.tower`.
package enum PlaceSamples {
  /// What no answer may contain: the word, and the seconds of the latitude and the longitude in either byte order.
  package static let marks: [[UInt8]] =
    [Array("PLACE".utf8)]
    + [3_012, 4_002].flatMap { value in
      [
        PictureBytes.little(value, 4) + PictureBytes.little(100, 4),
        PictureBytes.big(value, 4) + PictureBytes.big(100, 4),
      ]
    }

  package static func tell(_ bytes: [UInt8]) -> Bool {
    marks.contains { bytes.firstRange(of: $0) != nil }
  }

  /// EXIF of a tower, with the maker's notes.
  package static func exif(isBigEndian: Bool = false) -> [UInt8] {
    var sample = EXIFSample.tower(isBigEndian: isBigEndian)
    sample.first.insert(sample.text(0x010E, "A tower"), at: 0)
    let notes = Array("PLACE of the maker".utf8)
    sample.photograph.insert(
      sample.tag(0x927C, type: 7, count: notes.count, notes),
      at: sample.photograph.count - 2
    )
    sample.place.append(sample.text(0x1C, "PLACE of the area"))
    return sample.bytes
  }

  package static let xmp = Array(
    """
    <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">\
    <rdf:Description exif:GPSLatitude="PLACE N" photoshop:City="PLACE" photoshop:Country="PLACE">\
    <Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:Sublocation="PLACE"/></rdf:Bag>\
    </Iptc4xmpExt:LocationShown></rdf:Description></x:xmpmeta><?xpacket end="w"?>
    """.utf8
  )

  package static let text = Array("GPS latitude: PLACE".utf8)

  // MARK: JPEG

  package static let jpegPixels =
    PictureBytes.jpegFrame(width: 640, height: 480) + PictureBytes.jpegScan + PictureBytes.jpegEnd

  package static let jfif = PictureBytes.jpegSegment(
    0xE0,
    Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0]
  )

  /// A resource of Photoshop.
  package static func resource(_ id: Int, _ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + PictureBytes.big(id, 2) + [0, 0] + PictureBytes.big(data.count, 4) + data
      + [UInt8](repeating: 0, count: data.count % 2)
  }

  /// A data set of IPTC-IIM.
  package static func dataSet(_ number: UInt8, _ text: String) -> [UInt8] {
    [0x1C, 2, number] + PictureBytes.big(text.utf8.count, 2) + Array(text.utf8)
  }

  package static let captions =
    dataSet(5, "A tower") + dataSet(80, "Ann") + dataSet(90, "PLACE, a location of a country")
    + dataSet(101, "PLACE, country and province")

  package static let jpegMetadata: [UInt8] =
    PictureBytes.jpegSegment(0xE1, Array("Exif\0\0".utf8) + exif())
    + PictureBytes.jpegSegment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp)
    + PictureBytes.jpegSegment(
      0xE1,
      Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 65, count: 40) + xmp
    )
    + PictureBytes.jpegSegment(
      0xED,
      Array("Photoshop 3.0\0".utf8) + resource(0x03ED, [1, 2]) + resource(0x0404, captions)
        + resource(0x0422, exif())
    )
    + PictureBytes.jpegSegment(0xE2, pictures(Array("PLACE in no field".utf8)))
    + PictureBytes.jpegSegment(0xE5, Array("PLACE of a phone".utf8))
    + PictureBytes.jpegSegment(0xFE, text)

  /// The places of two pictures in a file (CIPA DC-007, section 5.2.3), with more bytes behind them.
  package static func pictures(_ more: [UInt8] = [], isBigEndian: Bool = false) -> [UInt8] {
    var sample = EXIFSample(isBigEndian: isBigEndian)
    sample.first = [
      sample.tag(0xB000, type: 7, count: 4, Array("0100".utf8)), sample.long(0xB001, 2),
      sample.tag(0xB002, type: 7, count: 32, [UInt8](1...32)),
    ]
    return Array("MPF\0".utf8) + sample.bytes + more
  }

  /// A file that is not understood as a whole, because it has a chunk that decoders need and nobody knows.
  package static let strangePNG: [UInt8] =
    PictureBytes.pngSignature + pngHeader + chunk("eXIf", exif()) + chunk("NEWx", [1]) + pngPixels
    + chunk("IEND", [])

  /// A film, as phones append it.
  package static let film =
    PictureBytes.fileType("mp42") + PictureBytes.box("moov", Array("udta PLACE".utf8))

  /// A picture, another one behind it, and a film.
  package static let jpeg: [UInt8] =
    PictureBytes.jpegStart + jfif + jpegMetadata + jpegPixels + [0, 0, 0] + PictureBytes.jpegStart
    + PictureBytes.jpegSegment(0xE1, Array("Exif\0\0".utf8) + exif(isBigEndian: true)) + jpegPixels
    + film

  // MARK: PNG

  package static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let bytes = Array(type.utf8) + content
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = sum & 1 == 1
        sum >>= 1
        if isOdd { sum ^= 0xEDB8_8320 }
      }
    }
    return PictureBytes.big(content.count, 4) + bytes + PictureBytes.big(Int(~sum), 4)
  }

  package static let pngHeader = chunk(
    "IHDR",
    PictureBytes.big(640, 4) + PictureBytes.big(480, 4) + [8, 2, 0, 0, 0]
  )
  package static let pngPixels = chunk("IDAT", [1, 2, 3, 4, 5])

  package static let png: [UInt8] =
    PictureBytes.pngSignature + pngHeader + chunk("eXIf", exif(isBigEndian: true))
    + chunk("tEXt", Array("Author\0Ann".utf8)) + chunk("tEXt", Array("exif:GPSInfo\0".utf8) + text)
    + chunk("zTXt", Array("Raw profile type exif\0\0PLACE, compressed".utf8))
    + chunk("tEXt", Array("Raw profile type iptc\0PLACE in hexadecimal".utf8))
    + chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp)
    + chunk("iTXt", Array("Comment\0\u{1}\0\0\0PLACE, compressed".utf8))
    + chunk("prIv", Array("PLACE of a program".utf8)) + pngPixels + chunk("IEND", [])
    + Array("PLACE behind the end".utf8)

  // MARK: WebP

  package static func riff(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    let body = chunks.flatMap { name, content in
      Array(name.utf8) + PictureBytes.little(content.count, 4) + content
        + [UInt8](repeating: 0, count: content.count % 2)
    }
    return Array("RIFF".utf8) + PictureBytes.little(body.count + 4, 4) + Array("WEBP".utf8) + body
  }

  package static let webPPixels = [0x2F] + PictureBytes.little(9 | 9 << 14, 4)

  package static let webP: [UInt8] =
    riff([
      ("VP8X", [0x0C, 0, 0, 0] + PictureBytes.little(9, 3) + PictureBytes.little(9, 3)),
      ("VP8L", webPPixels), ("EXIF", exif()), ("XMP ", xmp), ("PRIV", Array("PLACE".utf8)),
    ]) + Array("PLACE".utf8)

  // MARK: HEIC

  package static let heicPixels = Array("coded pixels of a tile".utf8)

  private static func item(_ id: Int, _ type: String, _ rest: [UInt8] = [0]) -> [UInt8] {
    let body = PictureBytes.big(id, 2) + [0, 0] + Array(type.utf8) + rest
    return PictureBytes.fullBox("infe", body, flags: 2 << 24)
  }

  /// A picture whose EXIF is in `mdat`, and whose XMP is in `idat`.
  package static let heic = heicFile(references: [])

  /// The same with references between its items: a type, the item that refers, and another one.
  package static func heicFile(references: [(type: String, from: Int, to: Int)]) -> [UInt8] {
    let exif: [UInt8] = [0, 0, 0, 6] + Array("Exif\0\0".utf8) + Self.exif(isBigEndian: true)
    let start = PictureBytes.fileType("heic", "mif1", "heic")
    let media = heicPixels + exif + Array("PLACE of no item".utf8)
    // The offsets have the same length, wherever the data are.
    let (first, second) = (heicMeta(dataAt: 0, exif.count, references), start.count)
    let offset = second + first.count + 8
    return start + heicMeta(dataAt: offset, exif.count, references)
      + PictureBytes.box("mdat", media) + PictureBytes.box("mpvd", film)
  }

  /// The place of an item, in the file (0) or in `idat` (1).
  private static func extent(
    of item: Int,
    in method: Int,
    at offset: Int,
    _ length: Int
  ) -> [UInt8] {
    [item, method, 0, 1].flatMap { PictureBytes.big($0, 2) }
      + [offset, length].flatMap { PictureBytes.big($0, 4) }
  }

  private static func heicMeta(
    dataAt offset: Int,
    _ exifCount: Int,
    _ references: [(type: String, from: Int, to: Int)]
  ) -> [UInt8] {
    let table =
      extent(of: 1, in: 0, at: offset, heicPixels.count)
      + extent(of: 2, in: 0, at: offset + heicPixels.count, exifCount)
      + extent(of: 3, in: 1, at: 0, xmp.count)
    let items =
      item(1, "hvc1") + item(2, "Exif") + item(3, "mime", Array("\0application/rdf+xml\0".utf8))
    let properties =
      PictureBytes.extent(width: 640, height: 480)
      + PictureBytes.fullBox("udes", Array("PLACE".utf8))
    let associations = PictureBytes.fullBox("ipma", PictureBytes.big(0, 4))
    let boxes = references.flatMap { type, from, to in
      PictureBytes.box(type, [from, 1, to].flatMap { PictureBytes.big($0, 2) })
    }
    return PictureBytes.fullBox(
      "meta",
      PictureBytes.fullBox(
        "hdlr",
        [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
      )
        + PictureBytes.fullBox("pitm", PictureBytes.big(1, 2))
        + PictureBytes.fullBox("iinf", PictureBytes.big(3, 2) + items)
        + PictureBytes.fullBox("iloc", [0x44, 0] + PictureBytes.big(3, 2) + table, flags: 1 << 24)
        + (boxes.isEmpty ? [] : PictureBytes.fullBox("iref", boxes))
        + PictureBytes.box("idat", xmp)
        + PictureBytes.box("iprp", PictureBytes.box("ipco", properties) + associations)
        + PictureBytes.box("uuid", Array("PLACE".utf8))
    )
  }

  package static let all: [(name: String, bytes: [UInt8], pixels: [UInt8])] = [
    ("JPEG", jpeg, jpegPixels), ("PNG", png, pngPixels), ("WebP", webP, webPPixels),
    ("HEIC", heic, heicPixels),
  ]
}
