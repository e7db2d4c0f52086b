import ArgumentParser
import Foundation
import Testing

@testable import gallery

struct MomentArgumentTests {
  private let now = Date(timeIntervalSince1970: 1_793_000_000)

  @Test(arguments: [
    // Berlin is one hour ahead of UTC in winter, and two in summer.
    ("2026-11-01", "2026-10-31T23:00:00Z"), ("2026-07-01", "2026-06-30T22:00:00Z"),
    ("2026-11-01T08:30", "2026-11-01T07:30:00Z"), ("2026-11-01 08:30:15", "2026-11-01T07:30:15Z"),
    ("2026-11-01T08:30Z", "2026-11-01T08:30:00Z"),
    ("2026-11-01T08:30:15.25Z", "2026-11-01T08:30:15Z"),
    ("2026-11-01T08:30+05:30", "2026-11-01T03:00:00Z"),
    ("2026-11-01T00:30-0130", "2026-11-01T02:00:00Z"),
    ("2024-02-29T00:00Z", "2024-02-29T00:00:00Z"),
    // The days on which the clocks are set, by their midnight.
    ("2026-03-29", "2026-03-28T23:00:00Z"), ("2026-03-30", "2026-03-29T22:00:00Z"),
    ("2026-10-25", "2026-10-24T22:00:00Z"), ("2026-10-26", "2026-10-25T23:00:00Z"),
    ("2026-03-29T01:59:59", "2026-03-29T00:59:59Z"), ("2026-03-29T03:00", "2026-03-29T01:00:00Z"),
    // A time that the clocks skip, and one that they show twice.
    ("2026-03-29T02:30", "2026-03-29T01:30:00Z"), ("2026-10-25T02:30", "2026-10-25T00:30:00Z"),
    ("2026-10-25T03:00", "2026-10-25T02:00:00Z"),
  ])
  func `reads a moment, in the zone of the machine where it names none`(
    text: String,
    moment: String
  ) throws {
    let date = try Date(moment, strategy: .iso8601)
    #expect(self.moment(text) == date)
  }

  @Test(arguments: [("3h", 3.0), ("7d", 168), ("2w", 336), ("0d", 0)])
  func `reads how long ago`(text: String, hours: Double) {
    #expect(moment(text) == now - hours * 3_600)
  }

  @Test(arguments: [
    ("today", "2026-10-25T23:00:00Z"), ("yesterday", "2026-10-24T22:00:00Z"),
    ("Yesterday", "2026-10-24T22:00:00Z"), ("TODAY", "2026-10-25T23:00:00Z"),
  ])
  func `reads a day by its name, also when the clocks were set on it`(
    text: String,
    moment: String
  ) throws {
    #expect(self.moment(text) == (try Date(moment, strategy: .iso8601)))
  }

  @Test(arguments: [
    "", "tomorrow", "yesterdays", "last week", "7", "7m", "-7d", "999999d", "2026", "2026-13-01",
    "2026-02-30", "2026-11-31",
    "2026-11-01T24:00", "2026-11-01T08:60", "2026-11-01Z", "2026-11-01T08:30+25:00", "01.11.2026",
  ])
  func `knows what is not a date, and names it`(text: String) {
    #expect(moment(text) == nil)
    #expect {
      try MomentArgument.parse(text)
    } throws: { "\($0)".contains("'\(text)' is not a date") }
  }

  private func moment(_ text: String) -> Date? {
    guard let berlin = TimeZone(identifier: "Europe/Berlin") else { return nil }
    return MomentArgument.date(text, now: now) { berlin.secondsFromGMT(for: $0) }
  }
}
