import Foundation
import Testing

@testable import CurlNetwork

struct FieldDateTests {
  @Test(arguments: [
    "Tue, 03 Nov 2026 08:00:00 GMT", "Tuesday, 03-Nov-26 08:00:00 GMT", "Tue Nov  3 08:00:00 2026",
  ])
  func `reads the three forms`(text: String) {
    #expect(FieldDate.date(text) == Date(timeIntervalSince1970: 1_793_692_800))
  }

  @Test func `reads years up to four digits`() {
    let last = FieldDate.date("Fri, 31 Dec 9999 23:59:59 GMT")

    #expect(last == Date(timeIntervalSince1970: 253_402_300_799))
    #expect(FieldDate.date("Tue, 03 Nov 214748364 08:00:00 GMT") == nil)
    #expect(FieldDate.date("Tue Nov  3 08:00:00 14748364") == nil)
  }
}
