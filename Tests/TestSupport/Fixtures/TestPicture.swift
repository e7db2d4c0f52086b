/// Pictures that are as small as possible.
package enum TestPicture {
  /// A grey JPEG of a size in pixels, with `filling` bytes in a comment; `orientation` says how to turn it
  /// (ITU-T T.81, annex B; EXIF 2.32, section 4.6.4).
  package static func jpeg(
    width: Int,
    height: Int,
    filling: Int = 0,
    orientation: Int? = nil
  ) -> [UInt8] {
    let comment = filling > 0 ? segment(0xFE, [UInt8](repeating: 0x20, count: filling)) : []
    let exif = orientation.map { segment(0xE1, turned($0)) } ?? []
    let blocks = ((width + 7) / 8) * ((height + 7) / 8)
    // A block has five zero bits: no difference, nothing else. Ones fill the last byte.
    let filler = UInt8(0xFF >> (blocks * 5 % 8))
    let scan = [UInt8](repeating: 0, count: blocks * 5 / 8) + (filler == 0xFF ? [] : [filler])
    return [0xFF, 0xD8] + exif + comment + tables + frame(width, height)
      + segment(0xDA, [1, 1, 0, 0, 63, 0]) + scan + [0xFF, 0xD9]
  }

  /// A tiny JPEG that claims four billion pixels.
  package static var bomb: [UInt8] {
    [0xFF, 0xD8] + tables + frame(65_000, 65_000) + segment(0xDA, [1, 1, 0, 0, 63, 0])
      + [0x00, 0xFF, 0xD9]
  }

  private static func frame(_ width: Int, _ height: Int) -> [UInt8] {
    segment(0xC0, [8] + bigEndian(height) + bigEndian(width) + [1, 1, 0x11, 0])
  }

  /// Steps of 8, twelve codes of four bits for differences, one of one bit for "nothing else".
  private static var tables: [UInt8] {
    segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
      + segment(0xC4, [0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0..<12))
      + segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
  }

  /// A TIFF structure with one entry.
  private static func turned(_ orientation: Int) -> [UInt8] {
    Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
      + bigEndian(orientation) + [0, 0, 0, 0, 0, 0]
  }

  /// A JPEG slightly longer than `count` bytes, which is whole but cannot be decoded.
  ///
  /// No two parts of it are equal, and another `seed` gives another picture.
  package static func large(bytes count: Int, seed: UInt64 = 1) -> [UInt8] {
    let start = segment(0xDA, [1, 1, 0, 0, 63, 0])
    let small = [0xFF, 0xD8] + frame(8_000, 6_000) + start + [0x00, 0xFF, 0xD9]
    var state = seed
    let scan = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      for index in 0..<count {
        // The constants are those of Knuth's MMIX; a byte below 0x80 cannot begin a marker.
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
