import Models
import Testing

@testable import Workers

struct PictureSampleTests {
  private typealias Bytes = PictureBytes

  private static func arriving(_ bytes: [UInt8], pieces: Int) -> PictureSample {
    var sample = PictureSample()
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      sample.append(Array(bytes[start..<min(start + pieces, bytes.count)]))
    }
    return sample
  }

  private static func png(dataBytes count: Int) -> [UInt8] {
    Array(Bytes.png.dropLast(12)) + [UInt8](repeating: 5, count: count) + Bytes.pngEnd
  }

  @Test func `says of a file that arrives what it says of one in memory`() {
    for bytes in Bytes.all {
      #expect(PictureCheck(Self.arriving(bytes, pieces: 7)) == PictureCheck(bytes))
    }
  }

  @Test(arguments: [100, PictureSample.headLimit, PictureSample.headLimit + 70_000, 1_000_000])
  func `finds the end of a file of any length`(count: Int) {
    let bytes = Self.png(dataBytes: count)

    let sample = Self.arriving(bytes, pieces: 16_384)

    let info = PictureInfo(format: .png, bytes: bytes.count, width: 640, height: 480)
    #expect(PictureCheck(sample)?.info == info)
    #expect(PictureCheck(sample)?.completeness == .whole)
    let cut = Self.arriving(bytes.dropLast(), pieces: 16_384)
    #expect(PictureCheck(cut)?.completeness == .cut)
  }

  @Test func `keeps no more than its limits of a file that arrives`() {
    let sample = Self.arriving(Self.png(dataBytes: 2_000_000), pieces: 100_000)

    #expect(sample.head.bytes.count == PictureSample.headLimit)
    #expect(sample.tail.bytes.count <= 2 * PictureSample.tailLimit)
    #expect(sample.tail.end == sample.length)
    #expect(!sample.hasNoGap)
  }

  @Test func `has no gap as long as first and last bytes overlap`() {
    let count = PictureSample.headLimit + PictureSample.tailLimit

    #expect(PictureSample([1, 2, 3]).hasNoGap)
    #expect(PictureSample(head: [1, 2, 3], tail: [3, 4], length: 4).hasNoGap)
    #expect(!PictureSample(head: [1, 2, 3], tail: [4, 5], length: 5).hasNoGap)
    #expect(Self.arriving([UInt8](repeating: 1, count: count - 1), pieces: 999).hasNoGap)
  }
}
