import Foundation
import Testing

@testable import FeedFormats

struct PlainTextTests {
  @Test(arguments: [
    ("Plain", "Plain"),
    ("  two \n\t words  ", "two words"),
    ("AT&amp;T &lt;live&gt;", "AT&T <live>"),
    ("caf&eacute; &#8211; &#x263A; &hellip;", "café – ☺ …"),
    ("it&#146;s", "it’s"),
    ("a&nbsp;b\u{A0}c\u{2028}d", "a b c d"),
    ("<p>One</p><p>Two</p>", "One Two"),
    ("in<b>sep</b>arable", "inseparable"),
    ("a<br/>b<img src='x.png'>c", "a b c"),
    ("<script>alert('<p>')</script>after", "after"),
    ("before<!-- a > b -->after", "beforeafter"),
    ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
    ("generic <T> type", "generic <T> type"),
    ("R&D & fun &unknown; &#x110000;", "R&D & fun &unknown; &#x110000;"),
    ("Ünï 猫 🐈", "Ünï 猫 🐈"),
    ("<p> </p>", nil),
    (" ", nil),
  ])
  func `makes one line of plain text`(markup: String, line: String?) {
    #expect(PlainText.line(of: markup, limit: 1000) == line)
  }

  @Test func `cuts long text between characters`() {
    #expect(PlainText.line(of: "aaaé", limit: 4) == "aaa")
    #expect(PlainText.line(of: "aaaé", limit: 5) == "aaaé")
  }

  @Test func `cuts long text without a space at the end`() {
    #expect(PlainText.line(of: "aaa bbb", limit: 4) == "aaa")
    #expect(PlainText.line(of: "aaa b", limit: 5) == "aaa b")
  }
}

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
    ("Tue Mar  5 10:00:00 2019", "2019-03-05T10:00:00Z"),
    ("Tue Mar  5 10:00:00 CET 2019", "2019-03-05T09:00:00Z"),
    ("Tue Mar 5 10:00 2019", "2019-03-05T10:00:00Z"),
    ("1709112000", "2024-02-28T09:20:00Z"), ("1709112000000", "2024-02-28T09:20:00Z"),
    ("1709112000.0", "2024-02-28T09:20:00Z"), ("1709112000000000", "2024-02-28T09:20:00Z"),
    ("2019年3月5日 10:00", "2019-03-05T10:00:00Z"), ("2019年03月05日", "2019-03-05T00:00:00Z"),
    ("2019年3月5日下午3时05分", "2019-03-05T15:05:00Z"), ("2019년 3월 5일", "2019-03-05T00:00:00Z"),
    ("2019年3月5日(火) 10:00", "2019-03-05T10:00:00Z"),
    ("2019年3月5日火曜日", "2019-03-05T00:00:00Z"),
    ("2019年3月5日（星期二）10:00", "2019-03-05T10:00:00Z"),
    ("2019年3月5日 周二 10:00", "2019-03-05T10:00:00Z"),
    ("2019년 3월 5일 (화) 10:00", "2019-03-05T10:00:00Z"),
    ("2019년 3월 5일 화요일", "2019-03-05T00:00:00Z"),
    ("978307200000", "2001-01-01T00:00:00Z"), ("946684800000", "2000-01-01T00:00:00Z"),
    ("86400000000", "1972-09-27T00:00:00Z"), ("05/Mar/2019 10:00:00", "2019-03-05T10:00:00Z"),
    ("2019-W10-2", "2019-03-05T00:00:00Z"), ("2019W102", "2019-03-05T00:00:00Z"),
    ("2020-W53-5", "2021-01-01T00:00:00Z"), ("2019-W10", "2019-03-04T00:00:00Z"),
    ("2019-064", "2019-03-05T00:00:00Z"), ("2020-366", "2020-12-31T00:00:00Z"),
    ("2019-064T10:00:00Z", "2019-03-05T10:00:00Z"),
    ("2026:10:01 10:00:00", "2026-10-01T10:00:00Z"),
    ("2026:10:01 10:00:00+02:00", "2026-10-01T08:00:00Z"),
    ("Tuesday, March 5, 2019 - 10:00", "2019-03-05T10:00:00Z"),
    ("Utorak, March 5, 2019 - 10:00", "2019-03-05T10:00:00Z"),
    ("2019/3/5 10:00:00", "2019-03-05T10:00:00Z"), ("200210021300", "2002-10-02T13:00:00Z"),
    ("Tue, 05 Mar 19 10:00:00 +0200", "2019-03-05T08:00:00Z"),
    ("Tue, 05 Mar 119 10:00:00 GMT", "2019-03-05T10:00:00Z"),
    ("Tue, 05 Mar 2019 10:00:00 GMT (Greenwich 1)", "2019-03-05T10:00:00Z"),
    ("2019-03-05T10:00:00Z[Europe/Berlin]", "2019-03-05T10:00:00Z"),
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

  @Test(arguments: [
    "", "yesterday", "Wed, 32 Oct 2002", "2002-13-01", "Oct", "0000-00-00",
    "Mon, 01 Jan 0001 00:00:00 +0000", "Mon, 01 Jan 0001 00:00:00 GMT", "0001-01-01T00:00:00Z",
    "0001-01-01", "2002-10-02 to 2002-10-03", "Wed, 02 Oct 2002 13:00:00 and 14:00",
    "2019-W54-1", "2019-400", "2019年13月1日", "2019年3月5日 afternoon 3", "2002-10-02T25:00:00Z",
    "03/05/2019", "Tue, 03/05/2019 - 10:00", "2019-000", "2019-366", "2019年3月5日(祝)",
    "mar., 05 mars 2019 10:00:00 +0100", "12345", "Tue Mar 5 10:00:00",
  ])
  func `knows what is not a date`(text: String) {
    #expect(FeedDate.read(text) == nil)
  }

  @Test func `reads seconds and milliseconds`() {
    #expect(FeedDate.read(number: 1_517_916_948) == Date(timeIntervalSince1970: 1_517_916_948))
    #expect(FeedDate.read(number: 1_517_916_948_000) == Date(timeIntervalSince1970: 1_517_916_948))
    #expect(FeedDate.read(number: -1) == nil)
  }
}

struct CharacterReferenceTests {
  @Test(
    arguments: [
      ("amp", "&"), ("AMP", "&"), ("eacute", "é"), ("Zcaron", "Ž"), ("equals", "="), ("bsol", "\\"),
      ("NewLine", "\n"), ("hellip", "…"), ("#233", "é"), ("#xE9", "é"), ("#146", "’"),
      ("nothing", nil), ("#", nil), ("#x110000", nil), ("#55296", nil), ("", nil),
    ] as [(String, Unicode.Scalar?)]
  )
  func `knows characters by name and number`(name: String, scalar: Unicode.Scalar?) {
    #expect(CharacterReference.scalar(named: name.utf8Span.span) == scalar)
  }
}

struct NextByteTests {
  @Test func `finds what a search from every place finds`() {
    let bytes = Array("a>bc>>d".utf8)
    var places = NextByte(of: UInt8(ascii: ">"))

    let forward = (0...7).map { places.from($0, in: bytes.span) }
    let backward = (0...7).reversed().map { places.from($0, in: bytes.span) }

    #expect(forward == [1, 1, 4, 4, 4, 5, nil, nil])
    #expect(backward == forward.reversed())
  }

  @Test(.timeLimit(.minutes(60)), arguments: ["", ">", "=>"])
  func `reads a text of opening brackets`(end: String) {
    let text = String(repeating: "<z ", count: 1_400_000) + end

    let line = PlainText.line(of: text, limit: FormatLimits.caption)

    #expect(line?.hasPrefix("<z <z") == (end == "=>" ? nil : true))
  }
}
