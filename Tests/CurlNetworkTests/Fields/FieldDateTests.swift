import Foundation
import Models
import Testing

@testable import CurlNetwork

struct FieldDateTests {
  @Test(arguments: [
    "Tue, 03 Nov 2026 08:00:00 GMT", "Tuesday, 03-Nov-26 08:00:00 GMT", "Tue Nov  3 08:00:00 2026",
  ])
  func `reads the three forms`(text: String) {
    #expect(FieldDate.date(text) == Date(timeIntervalSince1970: 1_793_692_800))
  }

  /// Each differs in one place from a date in the form that is sent.
  @Test(arguments: [
    ("Tue, 03 Nov 2026 23:59:60 GMT", 1_793_750_400),
    ("tue, 03 nov 2026 08:00:00 GMT", 1_793_692_800),
    ("Tue, 03 Nov 2026 08:00:00 UTC", 1_793_692_800),
    ("Tue, 3 Nov 2026 08:00:00 GMT", 1_793_692_800),
    ("Tue, 03 Nov 2026 09:00:00 CET", 1_793_692_800),
  ])
  func `reads what is nearly of the first`(text: String, seconds: Double) {
    #expect(FieldDate.date(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "Tue, 00 Nov 2026 08:00:00 GMT", "Tue, 03 Nov 2026 24:00:00 GMT",
    "Tue, 03 Nov 2026 08:60:00 GMT", "Tue, 03 Nov 2026 08:00:61 GMT",
    "Tue, 03 Nvo 2026 08:00:00 GMT", "Tue, 03 Nov 20x6 08:00:00 GMT",
  ])
  func `reads no date out of range`(text: String) {
    #expect(FieldDate.date(text) == nil)
  }

  @Test func `reads every day of years as libcurl does`() throws {
    for number in stride(from: 0, to: 47_541, by: 7) {
      let (year, month, day) = CalendarDay(daysSince1970: number).parts
      let names =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun"] + ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
      let text = String(format: "Thu, %02d \(names[month - 1]) %d 01:02:03 GMT", day, year)
      let expected = Date(timeIntervalSince1970: Double(number * 86_400 + 3_723))
      #expect(FieldDate.date(text) == expected)
      // With a second space libcurl reads it.
      #expect(FieldDate.date(text.replacingOccurrences(of: " GMT", with: "  GMT")) == expected)
    }
  }

  @Test func `reads years up to four digits`() {
    let last = FieldDate.date("Fri, 31 Dec 9999 23:59:59 GMT")

    #expect(last == Date(timeIntervalSince1970: 253_402_300_799))
    #expect(FieldDate.date("Tue, 03 Nov 214748364 08:00:00 GMT") == nil)
    #expect(FieldDate.date("Tue Nov  3 08:00:00 14748364") == nil)
  }
}
