import Models
import Testing

/// Numbers from outside, at and beyond the limits of their types.
struct SaturatingTests {
  private static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

  @Test(arguments: extremes, extremes)
  func `gives the nearest number when a result does not fit`(one: Int64, other: Int64) {
    let (low, high) = (Int128(Int64.min), Int128(Int64.max))
    let (wideOne, wideOther) = (Int128(one), Int128(other))

    #expect(Int128(one.adding(other)) == min(max(wideOne + wideOther, low), high))
    #expect(Int128(one.subtracting(other)) == min(max(wideOne - wideOther, low), high))
    #expect(Int128(one.multiplied(by: other)) == min(max(wideOne * wideOther, low), high))
  }

  @Test func `stays within a type without negative numbers`() {
    #expect(UInt64.max.adding(1) == .max)
    #expect(UInt64(0).subtracting(1) == 0)
    #expect(UInt64.max.multiplied(by: 2) == .max)
    #expect(UInt64(saturating: -1) == 0)
    #expect(UInt64(saturating: 1e308) == .max)
  }

  private static let fractions: [(Double, Int)] = [
    (0, 0), (-0.9, 0), (1.9, 1), (-1.9, -1), (1e308, .max), (-1e308, .min), (.nan, 0),
    (.infinity, .max), (-.infinity, .min), (0x1p63, .max), (-0x1p63, .min),
  ]

  @Test(arguments: fractions)
  func `drops a fraction, and takes the nearest number`(number: Double, expected: Int) {
    #expect(Int(saturating: number) == expected)
  }

  private static let texts: [(String, Int?)] = [
    ("0", 0), ("007", 7), ("9223372036854775807", .max), ("9223372036854775808", .max),
    ("18446744073709551615", .max), (String(repeating: "9", count: 400), .max), ("", nil),
    ("-1", nil), ("+1", nil), (" 1", nil), ("1e308", nil), ("NaN", nil), ("٣", nil), ("1_0", nil),
  ]

  @Test(arguments: texts)
  func `reads digits and nothing else`(text: String, expected: Int?) {
    #expect(Int(digits: text) == expected)
  }

  @Test func `limits numbers so that a hundred of them have a sum`() {
    for number in [Int.min.bounded, .max.bounded] {
      #expect(number.multiplied(by: 100) / 100 == number)
    }
    #expect(7.bounded == 7)
  }
}
