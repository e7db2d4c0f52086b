import Foundation
import Testing

@testable import FeedFormats

struct FeedDateTests {
  @Test(arguments: [
    ("Wed, 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z"),
    ("Wed, 02 Oct 2002 15:00:00 +0200", "2002-10-02T13:00:00Z"),
    ("2 Oct 2002 13:00 Z", "2002-10-02T13:00:00Z"),
    ("Wed, 2 October 02 08:00:00 EST", "2002-10-02T13:00:00Z"),
    ("Wednesday, 02-Oct-02 13:00:00 UTC", "2002-10-02T13:00:00Z"),
    ("Wed, 02 Oct 2002 06:00:00 PDT", "2002-10-02T13:00:00Z"),
    ("Oct 2, 2002 1:00 PM GMT", "2002-10-02T13:00:00Z"),
    ("Thu, 01 Aug 2019 16:15 EDT", "2019-08-01T20:15:00Z"),
    ("Wed, 02 Oct 2002 14:00:00 GMT+1", "2002-10-02T13:00:00Z"),
    ("Thu, 29 Feb 2024 23:59:60 GMT", "2024-03-01T00:00:00Z"),
    ("22.11.2022 12:16:00", "2022-11-22T12:16:00Z"),
    ("2002-10-02T13:00:00Z", "2002-10-02T13:00:00Z"),
    ("2002-10-02T08:00:00-05:00", "2002-10-02T13:00:00Z"),
    ("2002-10-02t13:00:00.000z", "2002-10-02T13:00:00Z"),
    ("2002-10-02 13:00:00 +0000", "2002-10-02T13:00:00Z"),
    ("2002-10-02T13:00", "2002-10-02T13:00:00Z"),
    ("20021002T130000Z", "2002-10-02T13:00:00Z"),
    ("2015-1-3", "2015-01-03T00:00:00Z"),
    ("2015/01/03", "2015-01-03T00:00:00Z"),
    ("2015-01", "2015-01-01T00:00:00Z"),
    ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
  ])
  func `reads a date`(text: String, expected: String) throws {
    let date = try Date(expected, strategy: .iso8601)

    #expect(FeedDate.read(text) == date)
  }

  @Test func `reads the form of headers as any other`() {
    for seconds in stride(from: 0.0, to: 4e9, by: 7_654_321) {
      let date = Date(timeIntervalSince1970: seconds)
      let text = date.formatted(
        Date.VerbatimFormatStyle(
          format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits)
            """,
          locale: Locale(identifier: "en_US_POSIX"),
          timeZone: .gmt,
          calendar: Calendar(identifier: .gregorian)
        )
      )

      #expect(FeedDate.read(text + " GMT") == date)
      #expect(FeedDate.read(text + " +0000") == date)
    }
  }

  @Test func `keeps fractions of a second`() {
    #expect(FeedDate.read("1970-01-01T00:00:01.25Z") == Date(timeIntervalSince1970: 1.25))
  }

  @Test(arguments: ["", "yesterday", "Wed, 32 Oct 2002", "2002-13-01", "Oct", "0000-00-00"])
  func `knows what is no date`(text: String) {
    #expect(FeedDate.read(text) == nil)
  }

  @Test func `reads seconds and milliseconds`() {
    #expect(FeedDate.read(number: 1_517_916_948) == Date(timeIntervalSince1970: 1_517_916_948))
    #expect(FeedDate.read(number: 1_517_916_948_000) == Date(timeIntervalSince1970: 1_517_916_948))
    #expect(FeedDate.read(number: -1) == nil)
  }
}
