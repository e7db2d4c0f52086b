/// A day of the proleptic Gregorian calendar (ISO 8601-1:2019, section 4.2.1).
///
/// Foundation's formatter uses the Julian calendar before 1582, which would shift the old dates of museums by up to ten
/// days. The arithmetic starts years in March, so that the leap day comes last, and counts in eras of 400 years.
package struct CalendarDay: Sendable, Equatable {
  private static let daysPerEra = 146_097
  /// The days from the start of the first era to 1970-01-01.
  private static let daysBefore1970 = 719_468

  package let daysSince1970: Int

  package init(daysSince1970: Int) { self.daysSince1970 = daysSince1970 }

  /// The day that contains a second since 1970, in UTC.
  package init(ofSecond second: Int64) {
    let (days, rest) = second.quotientAndRemainder(dividingBy: 86_400)
    daysSince1970 = Int(rest < 0 ? days - 1 : days)
  }

  /// Counts month and day from 1; a day after the end of the month continues in the next month.
  package init(year: Int, month: Int, day: Int) {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    daysSince1970 = era * Self.daysPerEra + dayOfEra - Self.daysBefore1970
  }

  /// The year, with month and day counted from 1.
  package var parts: (year: Int, month: Int, day: Int) {
    let days = daysSince1970 + Self.daysBefore1970
    let era = (days >= 0 ? days : days - (Self.daysPerEra - 1)) / Self.daysPerEra
    let dayOfEra = days - era * Self.daysPerEra
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, day)
  }
}

/// Reads the preferred form of dates, `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110, section 5.6.7).
///
/// Nearly all dates in responses and most dates in RSS have this form. Reading it by fixed offsets takes a fraction of
/// the time of a parser for all forms.
package enum FixedDate {
  /// The pattern: `a` matches a letter, `0` matches a digit, and any other character matches itself.
  private static let form: StaticString = "aaa, 00 aaa 0000 00:00:00 GMT"
  private static let weekdays = keys(of: "MonTueWedThuFriSatSun")
  private static let months = keys(of: "JanFebMarAprMayJunJulAugSepOctNovDec")

  /// Seconds since 1970; nil when the text does not have exactly this form.
  package static func seconds(_ text: UnsafeRawBufferPointer) -> Int? {
    guard hasForm(text), weekdays.contains(key(text, at: 0)),
      let month = months.firstIndex(of: key(text, at: 8))
    else { return nil }
    let (day, year) = (number(text, at: 5..<7), number(text, at: 12..<16))
    let (hour, minute) = (number(text, at: 17..<19), number(text, at: 20..<22))
    let second = number(text, at: 23..<25)
    guard (1...31).contains(day), year > 0, hour < 24, minute < 60, second < 60 else { return nil }
    let days = CalendarDay(year: year, month: month + 1, day: day).daysSince1970
    return ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func hasForm(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == form.utf8CodeUnitCount else { return false }
    for index in text.indices {
      let byte = text[index]
      let fits =
        switch form.utf8Start[index] {
        case UInt8(ascii: "a"): (0x41...0x5A).contains(byte & ~0x20)
        case UInt8(ascii: "0"): (0x30...0x39).contains(byte)
        case let other: byte == other
        }
      guard fits else { return false }
    }
    return true
  }

  /// A name of three letters as a number.
  private static func key(_ text: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    UInt32(text[offset]) << 16 | UInt32(text[offset + 1]) << 8 | UInt32(text[offset + 2])
  }

  private static func keys(of names: StaticString) -> [UInt32] {
    let text = UnsafeRawBufferPointer(start: names.utf8Start, count: names.utf8CodeUnitCount)
    return stride(from: 0, to: text.count, by: 3).map { key(text, at: $0) }
  }

  private static func number(_ text: UnsafeRawBufferPointer, at digits: Range<Int>) -> Int {
    digits.reduce(0) { $0 * 10 + Int(text[$1] - 0x30) }
  }
}
