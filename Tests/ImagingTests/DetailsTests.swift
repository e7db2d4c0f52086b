import DecoderFrames
import Foundation
import Imaging
import Models
import TestSupport
import Testing
import Workers

/// What cameras have written into pictures, as the decoder reads it.
struct DetailsTests {
  let pool = TestPool.shared.pool

  private static let mark = Array("Exif\0\0".utf8)
  private static let tower = EXIFSample.tower()

  private func details(_ bytes: [UInt8]) async throws -> PictureDetails {
    try await pool.details(of: .bytes(bytes))
  }

  private static func jpeg(_ metadata: [UInt8]...) -> [UInt8] {
    JPEGSample(columns: 2, rows: 2, metadata: metadata).bytes
  }

  /// The sample as a TIFF file of 8 x 8 pixels, which are the bytes of its first directory.
  private static func tiff(isBigEndian: Bool) -> [UInt8] {
    var sample = EXIFSample.tower(isBigEndian: isBigEndian)
    sample.first = [
      sample.short(256, 8), sample.short(257, 8), sample.short(258, 1), sample.short(259, 1),
      sample.short(262, 1), sample.text(0x010F, "FUJIFILM"), sample.text(0x0110, "X100V"),
      sample.long(273, 8), sample.short(277, 1), sample.short(278, 8), sample.long(279, 8),
    ]
    return sample.bytes
  }

  /// A WebP file with EXIF behind its picture (RFC 9649, section 2.7).
  private static var webP: [UInt8] {
    // The chunk VP8L alone.
    let picture = Array(EncodedSamples.webP[30..<66])
    let size = PictureBytes.little(31, 3) + PictureBytes.little(15, 3)
    let exif = tower.bytes + [UInt8](repeating: 0, count: tower.bytes.count % 2)
    let body =
      Array("WEBPVP8X".utf8) + PictureBytes.little(10, 4) + [0x08, 0, 0, 0] + size + picture
      + Array("EXIF".utf8) + PictureBytes.little(tower.bytes.count, 4) + exif
    return Array("RIFF".utf8) + PictureBytes.little(body.count, 4) + body
  }

  static let pictures: [(name: String, bytes: [UInt8])] = [
    ("JPEG", jpeg(mark + tower.bytes)),
    ("JPEG, big-endian", jpeg(mark + EXIFSample.tower(isBigEndian: true).bytes)),
    ("PNG", PNGSample(width: 32, height: 16, chunks: [("eXIf", tower.bytes)]).bytes),
    ("TIFF", tiff(isBigEndian: false)), ("TIFF, big-endian", tiff(isBigEndian: true)),
    ("WebP", webP), ("AVIF of exiftool", EncodedSamples.describedAVIF),
    ("HEIC of exiftool", EncodedSamples.describedHEIC),
  ]

  @Test(arguments: pictures.indices)
  func `all details are read from each format`(index: Int) async throws {
    let (name, bytes) = Self.pictures[index]
    let found = try await details(bytes)

    #expect(found.camera == "FUJIFILM X100V", "\(name)")
    #expect(found.lens == "Fujinon 23mm F2", "\(name)")
    #expect(found.exposure == 4_000_000, "\(name)")
    #expect(found.aperture == 280, "\(name)")
    #expect(found.sensitivity == 200, "\(name)")
    #expect(found.focalLength == 2_300, "\(name)")
    #expect(found.taken == DateTaken(clock: 1_563_127_353_450, offset: 120), "\(name)")
    #expect(found.place == PicturePlace(latitude: 48_858_367, longitude: 2_294_450), "\(name)")
  }

  @Test func `XMP of an AVIF is read where there is no EXIF`() async throws {
    let found = try await details(EncodedSamples.avifWithXMP)

    #expect(found.camera == "X100V")
    #expect(found.taken == DateTaken(clock: 1_563_127_353_000, offset: 120))
  }

  @Test func `XMP of a HEIC completes its EXIF`() async throws {
    let found = try await details(EncodedSamples.heicWithPlaceInXMP)

    #expect(found.camera == "FUJIFILM X100V")
    #expect(found.place == PicturePlace(latitude: 48_858_367, longitude: 2_294_450))
  }

  @Test func `XMP is read where there is no EXIF`() async throws {
    let packet = """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
      tiff:Model="X100V"/></rdf:RDF></x:xmpmeta>
      """
    let found = try await details(Self.jpeg(Array(packet.utf8)))

    #expect(found.camera == "X100V")
  }

  @Test func `the date of XMP goes before the one of digitising in EXIF`() async throws {
    var exif = EXIFSample()
    exif.photograph = [exif.text(0x9004, "2019:07:14 18:02:33")]
    let packet = """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
      photoshop:DateCreated="1935-06-01T12:00:00"/></rdf:RDF></x:xmpmeta>
      """
    let digitized = try await details(Self.jpeg(Self.mark + exif.bytes))
    let created = try await details(Self.jpeg(Self.mark + exif.bytes, Array(packet.utf8)))

    #expect(digitized.taken == DateTaken(day: "2019-07-14T18:02:33"))
    #expect(created.taken == DateTaken(day: "1935-06-01T12:00:00"))
  }

  @Test(arguments: [
    Picture.jpeg, Picture.png, Picture.bmp, EncodedSamples.heic, EncodedSamples.avif,
    JPEGSample(columns: 2, rows: 2, orientation: 6).bytes,
  ])
  func `a picture without details has none`(bytes: [UInt8]) async throws {
    #expect(try await details(bytes).isEmpty)
  }

  @Test func `damaged EXIF gives nothing, and the picture is drawn`() async throws {
    var exif = Self.mark + Self.tower.bytes
    exif.replaceSubrange(14..<16, with: [0xFF, 0xFF])
    let bytes = Self.jpeg(exif)

    #expect(try await details(bytes).isEmpty)
    #expect(try await pool.thumbnail(of: .bytes(bytes), longestSide: 64).info.width == 16)
  }

  @Test func `a file that is no picture has no details`() async {
    await #expect(throws: ImagingError.self) {
      try await pool.details(of: .bytes(Array("<html>".utf8)))
    }
  }

  @Test func `details that no camera has are not believed`() async throws {
    var lie = PictureDetails()
    lie.aperture = .max
    let answer = FakeDecoder.answer(.details, id: 1, lie.payload)
    let fake = try FakeDecoder(
      "\(FakeDecoder.greeting)\n\(FakeDecoder.readRequest)\n\(FakeDecoder.say(answer))\nread never <&0"
    )
    let pool = TestPool(paths: fake.paths).pool

    await #expect(throws: ImagingError.wrongAnswer) {
      try await pool.details(of: .bytes(Picture.png))
    }
  }
}
