/// Writes JPEG files of flat blocks with 8 x 8 pixels each (ITU-T T.81).
struct JPEGSample {
  /// Blocks in a row, and rows of them.
  var columns: Int
  var rows: Int
  /// EXIF orientation; nil writes none.
  var orientation: Int?
  /// Whether the header says that the file is progressive.
  var isProgressive = false
  /// Whether the file ends in the middle.
  var isCut = false
  /// The ICC profile to embed.
  var profile: [UInt8] = []
  /// The contents of segments of application 1, such as EXIF and XMP.
  var metadata: [[UInt8]] = []
  /// The marker of the frame; nil for the usual one (ITU-T T.81, table B.1).
  var frameMarker: UInt8?
  /// Bits per sample, as the header says.
  var bits: UInt8 = 8
  /// The grey of each block, from 0 to 255; nil makes every block black, and is much faster.
  var grey: ((_ column: Int, _ row: Int) -> Int)?

  var bytes: [UInt8] {
    let frame: [UInt8] = [bits] + big(rows * 8) + big(columns * 8) + [1, 1, 0x11, 0]
    var file: [UInt8] = [0xFF, 0xD8]
    if let orientation { file += segment(0xE1, exif(orientation)) }
    for content in metadata { file += segment(0xE1, content) }
    if !profile.isEmpty { file += segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile) }
    // All coefficients have steps of 8, so the first coefficient of a flat block is its grey.
    file += segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
    file += segment(frameMarker ?? (isProgressive ? 0xC2 : 0xC0), frame)
    // Twelve codes of four bits for differences, one of one bit for "nothing else".
    file += segment(0xC4, [0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0..<12))
    file += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    let end: UInt8 = isProgressive ? 0 : 63
    file += segment(0xDA, [1, 1, 0, 0, end, 0])
    let scan = scan
    file += isCut ? scan.prefix(scan.count / 2) : scan[...]
    return isCut ? file : file + [0xFF, 0xD9]
  }

  private var scan: [UInt8] {
    // A block has five zero bits: no difference, nothing else. Ones fill the last byte.
    guard let grey else { return [UInt8](repeating: 0, count: columns * rows * 5 / 8) + [0x07] }
    var bits = BitWriter()
    var last = 0
    for row in 0..<rows {
      for column in 0..<columns {
        let level = grey(column, row) - 128
        write(level - last, to: &bits)
        last = level
      }
    }
    bits.finish()
    return bits.bytes
  }

  private func write(_ difference: Int, to bits: inout BitWriter) {
    let size = Int.bitWidth - abs(difference).leadingZeroBitCount
    bits.write(size, bits: 4)
    bits.write(difference < 0 ? difference + (1 << size) - 1 : difference, bits: size)
    if !isProgressive { bits.write(0, bits: 1) }
  }

  /// A TIFF structure with one entry (EXIF 2.32, section 4.6.4).
  private func exif(_ orientation: Int) -> [UInt8] {
    Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + [0x01, 0x12, 0, 3, 0, 0, 0, 1]
      + big(orientation) + [0, 0, 0, 0, 0, 0]
  }

  private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(content.count + 2) + content
  }

  private func big(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }
}

/// Writes bits, the highest first, as JPEG does: a zero byte follows a byte of ones.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var count = 0

  mutating func write(_ value: Int, bits: Int) {
    for bit in stride(from: bits - 1, through: 0, by: -1) {
      pending = pending << 1 | UInt32(value >> bit & 1)
      count += 1
      if count == 8 { flushByte() }
    }
  }

  /// Fills the last byte with ones.
  mutating func finish() {
    while count > 0 { write(1, bits: 1) }
  }

  private mutating func flushByte() {
    bytes.append(UInt8(truncatingIfNeeded: pending))
    if bytes.last == 0xFF { bytes.append(0) }
    (pending, count) = (0, 0)
  }
}
