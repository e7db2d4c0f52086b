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

  // MARK: Texts

  @Test(arguments: [
    "exif:GPSLatitude", "drone-dji:GpsLongitude", "photoshop:City='x'", "<City>",
    "Iptc4xmpCore:Location",
    "Iptc4xmpCore:CountryCode", "Iptc4xmpExt:LocationCreated", "photoshop:State=", "geo:lat",
    "dc:coverage", String(repeating: "QUJD", count: 80),
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

  @Test(arguments: [
    Array(PlaceSamples.jpeg.prefix(PlaceSamples.jpegMetadata.count + 40)),
    PictureBytes.jpegStart + PictureBytes.jpegMetadata + PlaceSamples.jpegPixels,
    badSum, Array(PlaceSamples.png.prefix(200)), Array(PlaceSamples.webP.dropLast(40)),
    Array(PlaceSamples.heic.dropLast(1)), PlaceSamples.heic + PictureBytes.box("moov", []),
    PictureBytes.fileType("heic", "mif1", "heic") + PictureBytes.mediaData,
    // No table tells where the items are.
    PictureBytes.heic,
  ])
  func `what is not understood as a whole is refused`(bytes: [UInt8]) {
    #expect(throws: PlaceRemoval.Refusal.notUnderstood) { try removal(bytes) }
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
