import Foundation

@testable import CurlNetwork
@testable import FeedFormats

/// Dates as feeds and header fields write them.
struct DateTarget: FuzzTarget {
  let name = "date"
  let dictionary = "date"
  let seeds: [Seed] = [
    .text("Tue, 03 Nov 2026 08:00:00 +0100"), .text("2026-11-03T08:00:00.5Z"), .text("2026-W45-2"),
    .text("Tuesday, 03-Nov-26 08:00:00 GMT"), .text("Tue Nov  3 08:00:00 2026"),
    .text("3 Nov 26 08:00 EST"), .text("1793692800"), .text("20261103T080000-0330"),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let text = String(decoding: input, as: UTF8.self)
    try requireNear(FeedDate.read(text))
    try requireNear(input.withUnsafeBytes { FieldDate.date($0[...]) })
    if let number = Double(text) { try requireNear(FeedDate.read(number: number)) }
  }

  private func requireNear(_ date: Date?) throws(BrokenProperty) {
    let seconds = date?.timeIntervalSince1970 ?? 0
    try require(seconds.isFinite && abs(seconds) < 1e12, "a date \(seconds) seconds away")
  }
}
