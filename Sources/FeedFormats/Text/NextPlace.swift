/// Finds the next place of a byte, and remembers it: however often it is asked from one place after
/// another, every byte of the text is looked at once.
struct NextPlace {
  private let byte: UInt8
  /// The places from which on the answer is known, and the answer.
  private var known: Range<Int> = 0..<0

  init(of byte: UInt8) { self.byte = byte }

  /// The first place at or after `start`; nil when there is none.
  mutating func from(_ start: Int, in bytes: Span<UInt8>) -> Int? {
    if start < known.lowerBound || start >= known.upperBound {
      let place = bytes.first(byte, from: start) ?? bytes.count
      known = start..<(place + 1)
    }
    let place = known.upperBound - 1
    return place < bytes.count ? place : nil
  }
}
