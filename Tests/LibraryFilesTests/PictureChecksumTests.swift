import Testing

@testable import LibraryFiles

struct PictureChecksumTests {
  @Test(arguments: [0, 1, 7, 8, 9, 16, 31, 32, 33, 100])
  func `every changed bit changes it`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let sum = PictureChecksum.of(bytes)
    for bit in 0..<count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(PictureChecksum.of(changed) != sum)
    }
  }

  @Test func `zeros in the place of bytes, and zeros more or less, change it`() {
    let bytes = (1...100).map { UInt8($0) }
    let sums = Set(
      [bytes, bytes.dropLast() + [0], bytes + [0], bytes.map { _ in 0 }, [], [0], [0, 0]]
        .map(PictureChecksum.of)
    )
    #expect(sums.count == 7)
  }

  /// Libraries store this checksum: if its algorithm changed, every thumbnail would count as damaged.
  @Test func `stays what it was`() {
    #expect(PictureChecksum.of([]) == 3_056_759_530_831_092_098)
    #expect(PictureChecksum.of((0..<100).map { UInt8($0) }) == -4_018_136_574_228_004_675)
  }
}
