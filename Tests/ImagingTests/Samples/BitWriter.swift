/// Writes bits, the highest first, as JPEG does: a byte of ones is followed by an empty one.
struct BitWriter {
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
