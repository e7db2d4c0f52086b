/// A 64-bit checksum of a picture's bytes, the same in every run and on every machine.
///
/// It finds what a disk does to a file, not what somebody does who wants it to go unseen. Each step
/// can be undone, so that a change within eight bytes never leaves the sum as it was. Four sums go
/// side by side, eight bytes each, since a step waits for the one before it.
enum PictureChecksum {
  /// Bytes that the four sums take together.
  private static let stripe = 32

  static func of(_ bytes: [UInt8]) -> Int64 {
    bytes.withUnsafeBytes { bytes in
      let end = bytes.count - bytes.count % stripe
      var (first, second, third, fourth) = (seed, seed, seed, seed)
      for start in stride(from: 0, to: end, by: stripe) {
        add(word(of: bytes, at: start), to: &first)
        add(word(of: bytes, at: start + 8), to: &second)
        add(word(of: bytes, at: start + 16), to: &third)
        add(word(of: bytes, at: start + 24), to: &fourth)
      }
      var sum = seed ^ UInt64(bytes.count)
      for part in [first, second, third, fourth] { add(part, to: &sum) }
      for byte in bytes[end...] { add(UInt64(byte), to: &sum) }
      return Int64(bitPattern: sum)
    }
  }

  static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The numbers are those of FNV-1a; the shift brings what changes high bits down to the low ones.
  static func add(_ word: UInt64, to sum: inout UInt64) {
    sum = (sum ^ word) &* 0x0000_0100_0000_01b3
    sum ^= sum >> 32
  }
}
