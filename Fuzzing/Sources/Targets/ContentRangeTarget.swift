import Workers

@testable import CurlNetwork

/// The value of the field `Content-Range`.
struct ContentRangeTarget: FuzzTarget {
  let name = "range"
  let dictionary = "header"
  let seeds: [Seed] = [
    .text("bytes 5-9/10"), .text("bytes */10"), .text("Bytes  0-0/*"),
    .text("bytes 0-9223372036854775806/9223372036854775807"), .text("lines 1-2/3"),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    guard let range = read(input) else { return }
    let total = range.total.map(String.init) ?? "*"
    if let bytes = range.bytes {
      let isWithin = bytes.lowerBound >= 0 && bytes.upperBound < range.total ?? .max
      try require(isWithin, "a range \(range)")
    }
    let part = range.bytes.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
    try requireEqual(read(Array("bytes \(part)/\(total)".utf8)), range, "a range written and read")
  }

  private func read(_ bytes: [UInt8]) -> ContentRange? {
    bytes.withUnsafeBytes { ContentRangeField.range($0[...]) }
  }
}
