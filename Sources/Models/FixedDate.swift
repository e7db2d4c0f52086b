/// The form in which dates are to be sent, `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110,
/// section 5.6.7).
///
/// Nearly all dates in responses are in this form, and most in RSS. Read by where things stand, they take a
/// fraction of the time that those need who know every form there ever was.
package enum FixedDate {
  /// A letter for `a`, a digit for `0`, else itself.
  private static let form: StaticString = "aaa, 00 aaa 0000 00:00:00 GMT"
  private static let weekdays = keys(of: "MonTueWedThuFriSatSun")
  private static let months = keys(of: "JanFebMarAprMayJunJulAugSepOctNovDec")

  /// Seconds since 1970; nil for what is not quite of the form.
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
    for place in text.indices {
      let byte = text[place]
      let fits =
        switch form.utf8Start[place] {
        case UInt8(ascii: "a"): (0x41...0x5A).contains(byte & ~0x20)
        case UInt8(ascii: "0"): (0x30...0x39).contains(byte)
        case let other: byte == other
        }
      guard fits else { return false }
    }
    return true
  }

  /// A name of three letters as a number.
  private static func key(_ text: UnsafeRawBufferPointer, at place: Int) -> UInt32 {
    UInt32(text[place]) << 16 | UInt32(text[place + 1]) << 8 | UInt32(text[place + 2])
  }

  private static func keys(of names: StaticString) -> [UInt32] {
    let text = UnsafeRawBufferPointer(start: names.utf8Start, count: names.utf8CodeUnitCount)
    return stride(from: 0, to: text.count, by: 3).map { key(text, at: $0) }
  }

  private static func number(_ text: UnsafeRawBufferPointer, at digits: Range<Int>) -> Int {
    digits.reduce(0) { $0 * 10 + Int(text[$1] - 0x30) }
  }
}
