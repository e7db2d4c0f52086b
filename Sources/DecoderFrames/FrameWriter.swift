/// Appends the fields of a frame, numbers in little-endian order.
struct FrameWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// A size or a count; what a frame has no room for becomes the largest number it has room for.
  mutating func write(count: Int) { write(UInt64(clamping: count)) }

  mutating func write(_ flag: Bool) { write(UInt8(flag ? 1 : 0)) }

  /// A text, cut where the longest message ends.
  mutating func write(_ text: String) {
    let text = text.utf8.prefix(FrameLimits.messageBytes)
    write(UInt16(text.count))
    bytes.append(contentsOf: text)
  }
}
