import Models
import Testing

@testable import Workers

struct ImageCompletenessTests {
  private typealias Bytes = PictureBytes

  private static func completeness(_ bytes: some Sequence<UInt8>) -> ImageCompleteness? {
    PictureCheck(Array(bytes))?.completeness
  }

  @Test(arguments: [
    Bytes.jpeg, Bytes.png, Bytes.gif, Bytes.bmp, Bytes.lossyWebP, Bytes.losslessWebP,
    Bytes.extendedWebP, Bytes.avif, Bytes.heic, Bytes.boxedJXL,
    Bytes.ppm, Bytes.icon, Bytes.boxedJPEG2000,
  ])
  func `is whole as it is, and cut with a byte less`(bytes: [UInt8]) {
    #expect(Self.completeness(bytes) == .whole)
    #expect(Self.completeness(bytes.dropLast()) == .cut)
  }

  @Test(arguments: [Bytes.jpeg, Bytes.png, Bytes.gif, Bytes.bmp, Bytes.lossyWebP])
  func `stays whole with padding behind it`(bytes: [UInt8]) {
    #expect(Self.completeness(bytes + [0, 0, 0x0D, 0x0A]) == .whole)
  }

  @Test func `is unknown without an end marker`() {
    #expect(Self.completeness(Bytes.tiff) == .unknown)
    #expect(Self.completeness(Bytes.bareJXL) == .unknown)
  }

  @Test func `is cut when a TIFF ends before its directory`() {
    let bytes = Bytes.ascii("MM") + Bytes.big(42, 2) + Bytes.big(5000, 4) + [1, 2, 3]

    #expect(Self.completeness(bytes) == .cut)
  }

  @Test func `is unknown when a BMP declares no length`() {
    let bytes = Bytes.bmp.prefix(2) + Bytes.little(0, 4) + Bytes.bmp.dropFirst(6)

    #expect(Self.completeness(bytes) == .unknown)
  }

  @Test func `is whole when an SVG has its last end tag`() {
    #expect(Self.completeness(Bytes.svg) == .whole)
    #expect(Self.completeness("<svg><g></g></svg ><!-- svg -->".utf8) == .whole)
  }

  @Test(arguments: ["<svg><g></g>", "<svg><g></g></svg", "<svg><g></g></", "<svg>"])
  func `is cut when an SVG lacks its last end tag`(text: String) {
    #expect(Self.completeness(text.utf8) == .cut)
  }

  @Test func `is cut when a GIF ends with the trailer's value by chance`() {
    #expect(Self.completeness(Bytes.gif.dropLast(2) + [0x3B]) == .cut)
  }
}
