import Testing

@testable import PictureFiles

struct ByteReaderTests {
  /// The bytes 1…5 at offset 10 of a file.
  private let reader = ByteReader([0, 1, 2, 3, 4, 5, 0][1..<6], start: 10)

  @Test func `reads numbers of both byte orders`() {
    #expect(reader.big(at: 10, count: 4) == 0x0102_0304)
    #expect(reader.little(at: 11, count: 2) == 0x0302)
    #expect(reader.byte(at: 14) == 5)
  }

  @Test(arguments: [9, 15, -1, .min, .max])
  func `answers nil outside its part`(offset: Int) {
    #expect(reader.byte(at: offset) == nil)
    #expect(reader.big(at: offset, count: 1) == nil)
    #expect(reader.bytes(at: offset, count: .max) == nil)
    #expect(reader.has([1], at: offset) == false)
  }

  @Test func `answers nil when only the beginning is inside`() {
    #expect(reader.big(at: 13, count: 3) == nil)
    #expect(reader.bytes(at: 12, count: -1) == nil)
    #expect(reader.bytes(at: 15, count: 0) == [])
  }

  @Test func `finds bytes by their offset in the file`() {
    let bytes = ByteReader([7, 8, 7, 8, 9][...], start: 100)

    #expect(bytes.firstOffset(of: 8, from: 102) == 103)
    #expect(bytes.firstOffset(of: [7, 8], from: 101) == 102)
    #expect(bytes.firstOffset(of: [7, 9], from: 100) == nil)
    #expect(bytes.lastOffset(of: [7, 8]) == 102)
    #expect(bytes.lastOffset(of: [7, 8], notBefore: 103) == nil)
  }

  @Test func `drops padding at the end alone`() {
    let bytes = ByteReader([0, 1, 0, 0x0A, 0x0D][...], start: 5)

    #expect(bytes.withoutPadding.bytes == [0, 1])
    #expect(bytes.withoutPadding.end == 7)
    #expect(ByteReader([0, 0][...]).withoutPadding.bytes == [])
  }
}
