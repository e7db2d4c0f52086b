import Models
import TestSupport
import Testing

@testable import PictureFiles

/// Pictures that are sent without the places where they were taken.
struct PlaceRemovalTests {
  private func removal(_ bytes: [UInt8]) throws(PlaceRemoval.Refusal) -> PlaceRemoval {
    try PlaceRemoval(length: bytes.count) { offset, count in
      guard offset >= 0, count >= 0, count <= bytes.count - offset else { return nil }
      return Array(bytes[offset..<offset + count])
    }
  }

  private func sent(_ bytes: [UInt8]) throws(PlaceRemoval.Refusal) -> [UInt8] {
    let removal = try removal(bytes)
    var copy = bytes
    copy.withUnsafeMutableBytes { removal.apply(to: $0, at: 0) }
    return copy
  }

  @Test(arguments: PlaceSamples.all)
  func `a copy tells no place, and has the same pixels and length`(
    name: String,
    bytes: [UInt8],
    pixels: [UInt8]
  ) throws {
    let copy = try sent(bytes)

    #expect(PlaceSamples.tell(bytes))
    #expect(!PlaceSamples.tell(copy))
    #expect(copy.count == bytes.count)
    let place = try #require(bytes.firstRange(of: pixels))
    #expect(copy.firstRange(of: pixels) == place)
    #expect(ImageHeader(copy) == ImageHeader(bytes))
    // The copy of a copy is the same.
    #expect(try removal(copy).isEmpty)
  }

  @Test(arguments: PlaceSamples.all)
  func `parts of a copy are those of the whole`(
    name: String,
    bytes: [UInt8],
    pixels: [UInt8]
  ) throws {
    let (whole, removal) = (try sent(bytes), try removal(bytes))

    for length in [1, 7, 64, 1_000] {
      for start in stride(from: 0, to: bytes.count, by: length) {
        var part = Array(bytes[start..<min(start + length, bytes.count)])
        part.withUnsafeMutableBytes { removal.apply(to: $0, at: start) }
        #expect(part == Array(whole[start..<start + part.count]))
      }
    }
  }

  @Test(arguments: [
    PictureBytes.jpegStart + PlaceSamples.jfif + PlaceSamples.jpegPixels,
    PictureBytes.jpegStart
      + PictureBytes.jpegSegment(
        0xE1,
        Array("http://ns.adobe.com/xap/1.0/\0<x dc:creator='Ann' dc:rights='Free'/>".utf8)
      )
      + PictureBytes.jpegSegment(0xFE, Array("A tower at dusk".utf8)) + PlaceSamples.jpegPixels
      + [0, 0, 0],
    PictureBytes.pngSignature + PlaceSamples.pngHeader
      + PlaceSamples.chunk("tEXt", Array("Copyright\0Ann".utf8)) + PlaceSamples.pngPixels
      + PlaceSamples.chunk("IEND", []),
    PlaceSamples.riff([("VP8L", PlaceSamples.webPPixels)]),
  ])
  func `a picture without a place stays as it is`(bytes: [UInt8]) throws {
    #expect(try removal(bytes).isEmpty)
  }

  // MARK: EXIF

  @Test(arguments: [false, true])
  func `of EXIF, everything but the place stays that is shown`(isBigEndian: Bool) throws {
    let exif = PlaceSamples.exif(isBigEndian: isBigEndian)

    let without = try #require(EXIFWithoutPlace.bytes(of: exif))

    var expected = EXIFTests.tower
    #expect(PictureDetails(exif: exif) == expected)
    expected.place = nil
    #expect(PictureDetails(exif: without) == expected)
    #expect(without.count == exif.count)
    #expect(!PlaceSamples.tell(without))
    #expect(without.firstRange(of: Array("A tower".utf8)) != nil)
  }

  @Test func `a text of EXIF goes if it tells a place`() throws {
    var sample = EXIFSample.tower()
    sample.place = []
    sample.first.insert(sample.text(0x010E, "At latitude PLACE"), at: 0)

    let without = try #require(EXIFWithoutPlace.bytes(of: sample.bytes))

    #expect(!PlaceSamples.tell(without))
    #expect(PictureDetails(exif: without).camera == "FUJIFILM X100V")
  }

  @Test func `a thumbnail, and bytes to which no field of EXIF refers, become zeros`() throws {
    let exif = PlaceSamples.exif()
    let leftovers = exif + Array("PLACE of a field that was removed".utf8)

    let without = try #require(EXIFWithoutPlace.bytes(of: leftovers))

    #expect(!PlaceSamples.tell(without))
    #expect(without.count == leftovers.count)
  }

  @Test func `a field whose value reaches into a place is not understood`() throws {
    var sample = EXIFSample.tower()
    sample.photograph = []
    let lens = sample.text(0x013B, "Ann and others")
    sample.first.append(lens)
    var exif = sample.bytes
    #expect(EXIFWithoutPlace.bytes(of: exif) != nil)
    // The count of the last field of the first directory, before the field that leads to GPS.
    exif[8 + 2 + 12 * 3 + 4] += 40

    #expect(EXIFWithoutPlace.bytes(of: exif) == nil)
  }

  @Test(
    arguments: [[], [1, 2, 3], Array("II*".utf8), [0x49, 0x49, 43, 0, 8, 0, 0, 0]] as [[UInt8]]
  )
  func `what is not EXIF is not understood`(bytes: [UInt8]) {
    #expect(EXIFWithoutPlace.bytes(of: bytes) == nil)
  }

  @Test(arguments: [false, true])
  func `a place is found behind a field of 16 bits, too`(isBigEndian: Bool) throws {
    var sample = EXIFSample(isBigEndian: isBigEndian)
    let start = 8 + 2 + 12 * 2 + 4
    let place = sample.number(1, 2) + sample.number(0x1C, 2) + sample.number(2, 2)
    let value = place + sample.number(6, 4) + sample.number(start + 18, 4) + sample.number(0, 4)
    sample.first = [
      sample.tag(0x0110, type: 2, count: 24, value + Array("PLACE\0".utf8)),
      sample.short(0x8825, start),
    ]

    // The text of the camera has all of the directory, and so is not understood.
    #expect(EXIFWithoutPlace.bytes(of: sample.bytes) == nil)
    sample.first[1] = sample.short(0x8825, 9_999)
    #expect(EXIFWithoutPlace.bytes(of: sample.bytes) != nil)
  }

  // MARK: JPEG

  @Test func `what follows the known fields of a segment becomes zeros`() throws {
    let (start, more) = (PictureBytes.jpegStart, Array("PLACE".utf8))
    let jfif = Array(PlaceSamples.jfif.dropFirst(4))
    let adobe: [UInt8] = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 2]
    let plain = PictureBytes.jpegSegment(0xE0, jfif) + PictureBytes.jpegSegment(0xEE, adobe)
    #expect(try removal(start + plain + PlaceSamples.jpegPixels).isEmpty)

    let segments =
      PictureBytes.jpegSegment(0xE0, jfif + more) + PictureBytes.jpegSegment(0xEE, adobe + more)
    let copy = try sent(start + segments + PlaceSamples.jpegPixels)

    #expect(!PlaceSamples.tell(copy))
    #expect(copy.firstRange(of: jfif) != nil)
    #expect(copy.firstRange(of: adobe) != nil)
    let short = PictureBytes.jpegSegment(0xE0, Array(jfif.dropLast()))
    #expect(throws: PlaceRemoval.Refusal.notUnderstood) {
      try removal(start + short + PlaceSamples.jpegPixels)
    }
  }

  @Test(arguments: [false, true])
  func `of the places of further pictures, only the known fields stay`(isBigEndian: Bool) throws {
    let known = PlaceSamples.pictures(isBigEndian: isBigEndian)
    func jpeg(_ pictures: [UInt8]) -> [UInt8] {
      PictureBytes.jpegStart + PictureBytes.jpegSegment(0xE2, pictures) + PlaceSamples.jpegPixels
    }
    #expect(try removal(jpeg(known)).isEmpty)

    let more = Array("PLACE".utf8)
    let copy = try sent(jpeg(known + more))
    let unknown = try sent(jpeg(Array("MPF\0II".utf8) + more))

    #expect(copy == jpeg(known + [0, 0, 0, 0, 0]))
    #expect(unknown == jpeg([UInt8](repeating: 0, count: 11)))
  }

  @Test func `copies that differ have different digests`() throws {
    let first = try removal(PlaceSamples.jpeg)
    #expect(try removal(PlaceSamples.jpeg).digest == first.digest)
    let second = PlaceSamples.jpeg.prefix(2) + PictureBytes.jpegSegment(0xE5, [1])
    #expect(
      try removal(Array(second + PlaceSamples.jpeg.dropFirst(2))).digest != first.digest
    )
  }

  // MARK: Texts

  @Test(arguments: [
    "exif:GPSLatitude", "drone-dji:GpsLongitude", "photoshop:City='x'", "<City>",
    "Iptc4xmpCore:Location",
    "Iptc4xmpCore:CountryCode", "Iptc4xmpExt:LocationCreated", "photoshop:State=", "geo:lat",
    "dc:coverage", "dwc:locality", "dwc:verbatimCoordinates", #"{"lat":48.1,"lng":11.6}"#,
    String(repeating: "QUJD", count: 80),
  ])
  func `a text tells a place`(text: String) {
    #expect(PlaceWords.areIn(text.utf8))
    #expect(PlaceWords.areIn(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
  }

  @Test(arguments: [
    "", "xmp:Rating='5'", "velocity and capacity", "xmpRights:UsageTerms", "dc:creator='Estate'",
    String(repeating: "word ", count: 200), "crs:GeometryMode",
  ])
  func `a text tells no place`(text: String) { #expect(!PlaceWords.areIn(text.utf8)) }

  @Test func `of Photoshop's captions, the places become blanks`() throws {
    let resources = PlaceSamples.resource(0x0404, PlaceSamples.captions)

    let without = try #require(PhotoshopResources.withoutPlace(resources))

    #expect(!PlaceSamples.tell(without))
    #expect(without.count == resources.count)
    for kept in [PlaceSamples.dataSet(5, "A tower"), PlaceSamples.dataSet(80, "Ann")] {
      #expect(without.firstRange(of: kept) != nil)
    }
    #expect(PhotoshopResources.withoutPlace(Array(resources.dropLast(3))) == nil)
    let checksum = PlaceSamples.resource(0x0425, [UInt8](repeating: 7, count: 16))
    let removed = PlaceSamples.resource(0x0425, [UInt8](repeating: 0, count: 16))
    #expect(PhotoshopResources.withoutPlace(checksum) == removed)
    let misnamed = PlaceSamples.resource(0x0406, PlaceSamples.captions)
    #expect(!PlaceSamples.tell(try #require(PhotoshopResources.withoutPlace(misnamed))))
  }

  // MARK: Refusals

  @Test(arguments: [
    (PictureBytes.tiff, "a TIFF image"), (PictureBytes.svg, "an SVG image"),
    (PictureBytes.gif, "a GIF image"), (PictureBytes.boxedJXL, "a JPEG XL image"),
    (PlaceSamples.film, "a film"), ([1, 2, 3], "unknown data"), ([], "an empty file"),
  ])
  func `other kinds are refused by their names`(bytes: [UInt8], noun: String) {
    #expect(throws: PlaceRemoval.Refusal.kind(noun)) { try removal(bytes) }
  }

  private static let badSum: [UInt8] = {
    var png = PlaceSamples.png
    png[PictureBytes.pngSignature.count + PlaceSamples.pngHeader.count + 20] ^= 1
    return png
  }()

  /// The primary item has a type that is not known.
  private static let unknownItem: [UInt8] = {
    var heic = PlaceSamples.heic
    if let type = heic.firstRange(of: Array("hvc1".utf8)) {
      heic.replaceSubrange(type, with: Array("new1".utf8))
    }
    return heic
  }()

  @Test(arguments: [
    Array(PlaceSamples.jpeg.prefix(PlaceSamples.jpegMetadata.count + 40)),
    PictureBytes.jpegStart + PictureBytes.jpegMetadata + PlaceSamples.jpegPixels,
    badSum, Array(PlaceSamples.png.prefix(200)), Array(PlaceSamples.webP.dropLast(40)),
    Array(PlaceSamples.heic.dropLast(1)), PlaceSamples.heic + PictureBytes.box("moov", []),
    PictureBytes.fileType("heic", "mif1", "heic") + PictureBytes.mediaData,
    unknownItem,
    // No table tells where the items are.
    PictureBytes.heic,
  ])
  func `what is not understood as a whole is refused`(bytes: [UInt8]) {
    #expect(throws: PlaceRemoval.Refusal.notUnderstood) { try removal(bytes) }
  }

  /// The second item is EXIF, the third one XMP; neither is a part of a picture.
  @Test(arguments: [("dimg", 1, 2), ("auxl", 3, 1), ("prem", 1, 3)])
  func `a picture that consists of what is no picture is refused`(
    type: String,
    from: Int,
    to: Int
  ) {
    #expect(throws: PlaceRemoval.Refusal.notUnderstood) {
      try removal(PlaceSamples.heicFile(references: [(type, from, to)]))
    }
  }

  @Test(arguments: [("cdsc", 2, 1), ("cdsc", 3, 1), ("thmb", 2, 1), ("dimg", 1, 1), ("dimg", 1, 9)])
  func `other references are understood`(type: String, from: Int, to: Int) throws {
    let copy = try sent(PlaceSamples.heicFile(references: [(type, from, to)]))

    #expect(!PlaceSamples.tell(copy))
  }

  // MARK: Files in memory

  @Test(arguments: PlaceSamples.all)
  func `a place in memory is removed once`(name: String, bytes: [UInt8], pixels: [UInt8]) throws {
    guard case .removable(let copy, let digest) = PlaceFinding(in: bytes) else {
      Issue.record("nothing found")
      return
    }
    #expect(try copy == sent(bytes))
    #expect(try digest == removal(bytes).digest)
    #expect(PlaceFinding(in: copy) == .none)
  }

  private static let gifWithXMP: [UInt8] =
    PictureBytes.gif.dropLast() + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8)

  private static let gifOfVelocity: [UInt8] = gifWithXMP + Array("velocity".utf8) + [0, 0x3B]

  @Test(arguments: [ExifToolSamples.jpeg, ExifToolSamples.png, ExifToolSamples.webP])
  func `the place that ExifTool writes is removed, and nothing else`(bytes: [UInt8]) throws {
    let city = Array("Zagreb".utf8)
    let artist = Array("Ann\0".utf8)
    #expect(bytes.firstRange(of: city) != nil)

    guard case .removable(let copy, _) = PlaceFinding(in: bytes) else {
      Issue.record("nothing found")
      return
    }

    #expect(copy.firstRange(of: city) == nil)
    #expect(copy.firstRange(of: artist) != nil)
    #expect(PlaceFinding(in: copy) == .none)
    #expect(PictureCheck(copy) == PictureCheck(bytes))
  }

  /// A JPEG with parts that a removal replaces, but no sign of a place.
  private static let unknownParts =
    PictureBytes.jpegStart + PictureBytes.jpegSegment(0xE5, Array("a program".utf8))
    + PictureBytes.jpegSegment(0xEB, [0x4A, 0x50, 1, 2]) + PlaceSamples.jpegPixels
    + PictureBytes.fileType("mp42")

  /// A chunk with all words of places among coded data, which only look like words.
  private static let unknownChunk =
    PictureBytes.pngSignature + PlaceSamples.pngHeader
    + PlaceSamples.chunk("paDd", Array("gps latitude".utf8) + [UInt8](repeating: 0x91, count: 40))
    + PlaceSamples.pngPixels + PlaceSamples.chunk("IEND", [])

  /// Captions without a place, beside their checksum, which goes.
  private static let captions: [UInt8] =
    PictureBytes.jpegStart
    + PictureBytes.jpegSegment(
      0xED,
      Array("Photoshop 3.0\0".utf8)
        + PlaceSamples.resource(0x0404, PlaceSamples.dataSet(120, "A tower"))
        + PlaceSamples.resource(0x0425, [UInt8](1...16))
    ) + PlaceSamples.jpegPixels

  private static func jpeg(_ marker: UInt8, _ text: String) -> [UInt8] {
    PictureBytes.jpegStart + PictureBytes.jpegSegment(marker, Array(text.utf8))
      + PlaceSamples.jpegPixels
  }

  @Test(arguments: [
    jpeg(0xFE, "GPS latitude: 48.1"), jpeg(0xE5, "longitude 11.6"),
    jpeg(0xE1, "http://ns.adobe.com/xap/1.0/\0<rdf:RDF photoshop:City='Berlin'/>"),
    PictureBytes.jpegStart
      + PictureBytes.jpegSegment(
        0xED,
        Array("Photoshop 3.0\0".utf8)
          + PlaceSamples.resource(0x0404, PlaceSamples.dataSet(90, "Berlin"))
      ) + PlaceSamples.jpegPixels,
    PlaceSamples.riff([("VP8L", PlaceSamples.webPPixels), ("EXIF", PlaceSamples.exif())]),
  ])
  func `each sign of a place is enough`(bytes: [UInt8]) {
    #expect(PlaceFinding(in: bytes) != .none)
  }

  @Test(arguments: [
    PlaceSamples.strangePNG,
    Array(PlaceSamples.jpeg.prefix(PlaceSamples.jpegMetadata.count + 40)),
    PictureBytes.tiff + PlaceSamples.exif(),
    PictureBytes.tiff + PlaceSamples.exif(isBigEndian: true),
    gifWithXMP + Array("<rdf:RDF exif:GPSLatitude='PLACE'/></rdf:RDF>".utf8) + [0, 0x3B],
    gifWithXMP + Array("<rdf:RDF exif:GPSLatitude='PLACE".utf8),
    PictureBytes.boxedJXL + PictureBytes.box("brob", Array("Exif".utf8) + [1, 2, 3]),
    PictureBytes.tiff + PlaceSamples.resource(0x0404, PlaceSamples.captions),
  ])
  func `a file that is not understood may have signs of a place`(bytes: [UInt8]) {
    #expect(PlaceFinding(in: bytes) == .notRemovable)
  }

  @Test(arguments: [
    PictureBytes.jpeg, PictureBytes.png, PictureBytes.gif, PictureBytes.bmp, PictureBytes.tiff,
    PictureBytes.avif, PictureBytes.heic, PictureBytes.svg, PictureBytes.boxedJXL, [], [1, 2, 3],
    PlaceSamples.riff([("VP8L", PlaceSamples.webPPixels)]), unknownParts, unknownChunk, captions,
    jpeg(0xE5, "velocity"), gifOfVelocity,
    gifWithXMP + Array("<rdf:RDF dc:creator='Ann'/></rdf:RDF> gps".utf8) + [0, 0x3B],
  ])
  func `other files have none`(bytes: [UInt8]) {
    #expect(PlaceFinding(in: bytes) == .none)
  }

  @Test(arguments: [
    "brobxml ", "brobjumb", "loci\0\0\0\0", "quicktime.location", "8BIM\u{4}\u{4}",
  ])
  func `a sign of a place may be anywhere in a file that is not understood`(sign: String) {
    #expect(PlaceFinding(in: PictureBytes.tiff + Array(sign.utf8)) == .notRemovable)
  }

  @Test(arguments: PlaceSamples.all)
  func `a file that is cut is refused, or tells no place`(
    name: String,
    bytes: [UInt8],
    pixels: [UInt8]
  ) {
    for part in 1...15 {
      guard let copy = try? sent(Array(bytes.prefix(bytes.count * part / 16))) else { continue }
      #expect(!PlaceSamples.tell(copy), "\(part) of 16")
    }
  }

  @Test(arguments: PlaceSamples.all)
  func `a file with a wrong byte is refused, or tells no place`(
    name: String,
    bytes: [UInt8],
    pixels: [UInt8]
  ) {
    for index in stride(from: 0, to: bytes.count, by: 3) {
      var damaged = bytes
      damaged[index] ^= [0x01, 0x80, 0xFF][index / 3 % 3]
      guard let copy = try? sent(damaged) else { continue }
      #expect(!PlaceSamples.tell(copy), "byte \(index)")
    }
  }
}
