import Foundation
import Models
import Testing
import Workers

@testable import CurlNetwork

struct FieldDateTests {
  @Test(arguments: [
    "Tue, 03 Nov 2026 08:00:00 GMT", "Tuesday, 03-Nov-26 08:00:00 GMT", "Tue Nov  3 08:00:00 2026",
  ])
  func `reads the three forms`(text: String) {
    #expect(FieldDate.date(text) == Date(timeIntervalSince1970: 1_793_692_800))
  }

  /// Each date differs in one place from the standard form of a date in HTTP.
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
      // A second space makes the function pass the date to libcurl.
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

struct ResponseHeaderReaderTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)

  @Test(arguments: [
    (["Cache-Control: max-age=60"], 60),
    (["cache-control: public, MAX-AGE=\"60\" ,must-revalidate"], 60),
    (["Cache-Control: s-maxage=9"], nil),
    (["Cache-Control: max-age=60", "Cache-Control: no-cache"], 0),
    (["Cache-Control: no-store, max-age=60"], 0),
    (["Cache-Control: max-age=soon"], 0),
    (["Cache-Control: max-age=99999999999999999999"], Int(Int32.max)),
    (["Cache-Control: max-age=60, max-age=30"], 30),
    (["Cache-Control: max-age=60", "Age: 20"], 40),
    (["Cache-Control: max-age=60", "Age: 80"], 0),
    (["Cache-Control: immutable"], 31_536_000),
    (["Cache-Control: immutable, max-age=60"], 60),
    (["Cache-Control: private"], nil),
    (["Expires: Sat, 21 Nov 2026 09:00:00 GMT", "Date: Sat, 21 Nov 2026 08:30:00 GMT"], 1800),
    (["Expires: Sat, 21 Nov 2026 09:00:00 GMT"], 3600),
    (["Expires: Sat, 21 Nov 2026 07:00:00 GMT"], 0),
    (["Expires: 0"], 0), (["Expires: -1"], 0),
    (["Expires: Sat, 21 Nov 2026 09:00:00 GMT", "Cache-Control: max-age=5"], 5),
    (["X-Cache-Control: max-age=5"], nil),
    ([], nil),
  ])
  func `tells how long a response is fresh`(fields: [String], seconds: Int?) {
    let reader = reader(200, fields)

    #expect(reader.caching.freshSeconds(madeAt: reader.date ?? Self.now) == seconds)
  }

  @Test(arguments: [
    ("bytes 5-9/10", ContentRange(bytes: 5...9, total: 10)),
    ("Bytes 0-0/*", ContentRange(bytes: 0...0, total: nil)),
    ("bytes */10", ContentRange(bytes: nil, total: 10)),
    ("bytes 9-5/10", nil), ("bytes 5-10/10", nil), ("bytes */*", nil), ("bytes 5-9", nil),
    ("items 5-9/10", nil), ("bytes 5/10", nil), ("bytes -5-9/10", nil), ("bytes=5-9/10", nil),
    ("bytes 5-9/x", nil), ("bytes 99999999999999999999-9/10", nil), ("bytes", nil),
  ])
  func `reads which part of the whole came`(field: String, range: ContentRange?) {
    #expect(reader(206, ["Content-Range: \(field)"]).contentRange == range)
  }

  @Test(arguments: [
    ("120", 120.0), ("0", nil), ("-5", nil), ("soon", nil), ("1.5", nil),
    ("99999999", 86_400), ("99999999999999999999", nil),
    ("Sat, 21 Nov 2026 08:02:00 GMT", 120), ("Saturday, 21-Nov-26 08:02:00 GMT", 120),
    ("Sat Nov 21 08:02:00 2026", 120), ("Sat, 21 Nov 2026 07:00:00 GMT", nil),
    ("Sat, 21 Nov 2099 07:00:00 GMT", 86_400),
  ])
  func `reads both forms of a pause, and bounds it`(field: String, seconds: Double?) {
    let end = reader(429, ["Retry-After: \(field)"]).retryAfter?.end(
      now: Self.now,
      serverDate: nil,
      longest: RetryPolicy().longestPause
    )

    #expect(end == seconds.map { Self.now.addingTimeInterval($0) })
  }

  @Test func `counts a pause by the server's own clock`() {
    let reader = reader(
      503,
      ["Retry-After: Sat, 21 Nov 2020 08:02:00 GMT", "Date: Sat, 21 Nov 2020 08:01:00 GMT"]
    )

    let end = reader.retryAfter?.end(
      now: Self.now,
      serverDate: reader.date,
      longest: .seconds(3600)
    )
    #expect(end == Self.now.addingTimeInterval(60))
  }

  @Test(arguments: [
    "20261121", "08:49:37", "yesterday, about 08:49:37 GMT", "2026-11-21T08:00:00Z",
  ])
  func `takes no rubbish for a date`(field: String) {
    #expect(reader(200, ["Date: \(field)"]).date == nil)
  }

  @Test(arguments: [
    ("gzip", ContentCoding.packed), ("x-GZIP , br", .packed), ("identity", .plain),
    ("Identity", .plain), ("aws-chunked", .unknown), ("gzipped", .unknown),
    ("utf-8,gzip", .unknown),
  ])
  func `tells how the body is sent`(field: String, coding: ContentCoding) {
    #expect(reader(200, ["Content-Encoding: \(field)"]).coding == coding)
  }

  private func reader(_ status: Int, _ fields: [String]) -> ResponseHeaderReader {
    var reader = ResponseHeaderReader()
    for line in ["HTTP/1.1 \(status) Status"] + fields + [""] {
      _ = Array("\(line)\r\n".utf8).withUnsafeBytes { reader.read($0) }
    }
    return reader
  }
}
