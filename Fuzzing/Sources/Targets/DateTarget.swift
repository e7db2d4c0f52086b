import Foundation

@testable import FeedFormats

/// Dates as feeds write them.
struct DateTarget: FuzzTarget {
  let name = "date"
  let dictionary = "date"
  let seeds: [Seed] = [
    .text("Tue, 03 Nov 2026 08:00:00 +0100"), .text("2026-11-03T08:00:00.5Z"), .text("2026-W45-2"),
    .text("3 Nov 26 08:00 EST"), .text("1793692800"), .text("20261103T080000-0330"),
  ]

  func run(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    requireNear(FeedDate.read(text))
    if let number = Double(text) { requireNear(FeedDate.read(number: number)) }
  }

  private func requireNear(_ date: Date?) {
    let seconds = date?.timeIntervalSince1970 ?? 0
    require(seconds.isFinite && abs(seconds) < 1e12, "a date \(seconds) seconds away")
  }
}
