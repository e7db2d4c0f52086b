import Workers

extension DecodedPixels {
  /// Red, green, blue and alpha at a place.
  func colour(_ x: Int, _ y: Int) -> [Int] {
    let start = 4 * (y * width + x)
    return rgba[start..<start + 4].map(Int.init)
  }

  /// Whether a place has a colour, give or take what encoders lose.
  func has(_ colour: [Int], at x: Int, _ y: Int, tolerance: Int = 12) -> Bool {
    zip(self.colour(x, y), colour).allSatisfy { abs($0 - $1) <= tolerance }
  }
}
