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

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(content.count + 2) + content
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }
}
