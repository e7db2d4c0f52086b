/// The same sequence of places in every run (SplitMix64).
struct SeededPlaces {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A place below a bound.
  mutating func next(below bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 1) % bound }

  /// One bit of a byte.
  var bit: UInt8 {
    mutating get { 1 << UInt8(truncatingIfNeeded: next() % 8) }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
