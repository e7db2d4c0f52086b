/// Pictures that are whole by header and end marker, as small as they get.
enum TestPicture {
  /// A JPEG of a size in pixels; `filling` bytes stand in a comment (ITU-T T.81, annex B).
  static func jpeg(width: Int, height: Int, filling: Int = 0) -> [UInt8] {
    let comment = filling > 0 ? segment(0xFE, [UInt8](repeating: 0x20, count: filling)) : []
    let frame: [UInt8] =
      [8] + bigEndian(height) + bigEndian(width) + [1, 1, 0x11, 0]
    let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x00]
    return [0xFF, 0xD8] + comment + segment(0xC0, frame) + scan + [0xFF, 0xD9]
  }

  /// A JPEG of so many bytes and some, of which no two stretches are alike; another one for another
  /// `seed`.
  static func large(bytes count: Int, seed: UInt64 = 1) -> [UInt8] {
    let small = jpeg(width: 8_000, height: 6_000)
    var state = seed
    let scan = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      for index in 0..<count {
        // The constants are Knuth's, for MMIX; a byte below 0x80 is no marker.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        buffer[index] = UInt8(truncatingIfNeeded: state >> 57)
      }
      written = count
    }
    return small.dropLast(2) + scan + small.suffix(2)
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(content.count + 2) + content
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }
}
