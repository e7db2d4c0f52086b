/// Choices that depend on nothing but the input, and on all of it.
///
/// An input is thus a document as it is, and can be read as one by any other tool.
struct Choices: RandomNumberGenerator {
  private var state: UInt64

  /// FNV-1a, in 64 bits, over the input.
  init(_ input: [UInt8]) {
    state = input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// SplitMix64: any state will do.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Cuts bytes into pieces, of which some are empty; how long they are differs from input to input.
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
