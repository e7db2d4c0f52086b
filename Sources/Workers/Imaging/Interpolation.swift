/// Between which two of fewer pixels one of many lies, in one direction.
struct Interpolation {
  let first: Int
  let second: Int
  /// The share of the second one, of 256.
  let weight: Int

  /// The places of `count` pixels among `fewer` ones.
  static func steps(_ count: Int, of fewer: Int) -> [Interpolation] {
    (0..<count).map { index in
      let place = ((Double(index) + 0.5) * Double(fewer) / Double(count) - 0.5)
      let clamped = min(max(0, place), Double(fewer - 1))
      let first = Int(clamped)
      return Interpolation(
        first: first,
        second: min(first + 1, fewer - 1),
        weight: Int((clamped - Double(first)) * 256)
      )
    }
  }
}
