import FoundationEssentials
import TestSupport
import Testing

@testable import Scenes

struct QuantitiesTests {
  @Test(arguments: [
    (0, "0 images"), (1, "1 image"), (2, "2 images"), (999, "999 images"),
    (1_000, "1,000 images"), (1_234_567, "1,234,567 images"),
  ])
  func `counts in groups of three digits`(_ number: Int, _ text: String) {
    #expect(Wording.count(number, "image") == text)
  }

  @Test(arguments: [(-1, "-1"), (-123, "-123"), (-1_234, "-1,234"), (-123_456, "-123,456")])
  func `keeps the sign before the first group`(_ number: Int, _ text: String) {
    #expect(Wording.grouped(number) == text)
  }

  @Test(arguments: [
    (0.0, 0, "2026-11-21 08:00"), (0.5, 0, "2026-11-21 08:01"), (61, 3_600, "2026-11-21 09:02"),
    (0, -36_000, "2026-11-20 22:00"),
  ])
  func `tells until when by people's clocks`(after: Double, offset: Int, text: String) {
    let date = Date(timeIntervalSince1970: 1_795_248_000 + after)

    #expect(Wording.localTime(date, rounded: .up) { _ in offset } == text)
  }

  @Test(arguments: [
    (0.0, 0, "2026-11-21 08:00"), (0.5, 0, "2026-11-21 08:00"), (59.9, 0, "2026-11-21 08:00"),
    (60, 0, "2026-11-21 08:01"), (-0.5, 3_600, "2026-11-21 08:59"),
  ])
  func `tells since when by people's clocks`(after: Double, offset: Int, text: String) {
    let date = Date(timeIntervalSince1970: 1_795_248_000 + after)

    #expect(Wording.localTime(date) { _ in offset } == text)
  }

  @Test(arguments: [
    (0, "0 B"), (512, "512 B"), (999, "999 B"), (1_000, "1.0 KiB"), (1_234, "1.2 KiB"),
    (65_536, "64.0 KiB"), (123_456, "121 KiB"), (1_048_576, "1.0 MiB"), (4_404_019, "4.2 MiB"),
    (209_715_200, "200 MiB"), (3 << 30, "3.0 GiB"), (5 << 40, "5.0 TiB"), (5_000 << 40, "5000 TiB"),
  ])
  func `tells sizes in units of 1024`(_ bytes: Int, _ text: String) {
    #expect(Wording.size(bytes) == text)
  }

  @Test(arguments: [
    (Duration.zero, "0.0 s"), (.milliseconds(420), "0.4 s"), (.milliseconds(9_900), "9.9 s"),
    (.seconds(12), "12 s"), (.milliseconds(59_700), "1 min 0 s"), (.seconds(200), "3 min 20 s"),
    (.seconds(3_599), "59 min 59 s"), (.seconds(7_500), "2 h 5 min"),
  ])
  func `tells durations as finely as people care`(_ duration: Duration, _ text: String) {
    #expect(Wording.duration(duration) == text)
  }

  @Test(arguments: [(424, 0.42), (425, 0.43), (1_999, 2), (0, 0)])
  func `rounds seconds to the hundredth`(_ milliseconds: Int, _ seconds: Double) {
    #expect(Wording.roundedSeconds(.milliseconds(milliseconds)) == seconds)
  }

  @Test func `tells a moment in UTC, to the second`() {
    #expect(Wording.timestamp(.novemberMorning) == "2026-11-02T08:00:00Z")
    #expect(Wording.timestamp(Date(timeIntervalSince1970: 0.9)) == "1970-01-01T00:00:00Z")
    #expect(Wording.timestamp(Date(timeIntervalSince1970: -1)) == "1969-12-31T23:59:59Z")
  }

  @Test(arguments: [
    (0.0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    (1_793_606_400, "Mon, 02 Nov 2026 08:00:00 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
  ])
  func `tells a moment as mail does`(_ seconds: Double, _ text: String) {
    #expect(Wording.mailDate(Date(timeIntervalSince1970: seconds)) == text)
  }
}
