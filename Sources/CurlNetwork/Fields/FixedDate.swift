import Models

/// The form in which dates are to be sent, `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110,
/// section 5.6.7).
///
/// Every response has one or two of them, and nearly all are in this form: read by where things stand,
/// one costs a hundredth of what libcurl takes, which knows every form there ever was.
enum FixedDate {
  /// A letter for `a`, a digit for `0`, else itself.
  private static let form: StaticString = "aaa, 00 aaa 0000 00:00:00 GMT"
  private static let weekdays: StaticString = "MonTueWedThuFriSatSun"
  private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

  /// Seconds since 1970; nil for what is not quite of the form.
  static func seconds(_ value: FieldLine.Bytes) -> Int? {
    let text = UnsafeRawBufferPointer(rebasing: value)
    guard hasForm(text), place(of: text[0..<3], in: weekdays) != nil,
      let month = place(of: text[8..<11], in: months)
    else { return nil }
    let (day, year) = (number(text[5..<7]), number(text[12..<16]))
    let (hour, minute, second) = (
      number(text[17..<19]), number(text[20..<22]), number(text[23..<25])
    )
    guard (1...31).contains(day), year > 0, hour < 24, minute < 60, second < 60 else { return nil }
    let days = CalendarDay(year: year, month: month + 1, day: day).daysSince1970
    return ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func hasForm(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == form.utf8CodeUnitCount else { return false }
    for (place, byte) in text.enumerated() {
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

  /// Which of the names of three letters it is, from 0.
  private static func place(of name: FieldLine.Bytes, in names: StaticString) -> Int? {
    let all = UnsafeRawBufferPointer(start: names.utf8Start, count: names.utf8CodeUnitCount)
    return (0..<(all.count / 3)).first { all[($0 * 3)..<($0 * 3 + 3)].elementsEqual(name) }
  }

  private static func number(_ digits: FieldLine.Bytes) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
