/// Random choices that depend only on the input, and on every byte of it.
///
/// So an input is a plain document, which any other tool can read.
struct Choices: RandomNumberGenerator {
  private var state: UInt64

  /// Hashes the input with 64-bit FNV-1a.
  init(_ input: [UInt8]) {
    state = input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns the next number of SplitMix64, for which any state is valid.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Cuts bytes into pieces, some of them empty; the longest length differs from input to input.
  mutating func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let longest = Int.random(in: 1...(1 << Int.random(in: 0...14, using: &self)), using: &self)
    var rest = bytes[...]
    var pieces: [ArraySlice<UInt8>] = []
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 0...longest, using: &self))
      pieces.append(piece)
      rest = rest[piece.endIndex...]
    }
    return pieces
  }
}
