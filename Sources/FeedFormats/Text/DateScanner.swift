/// Goes through the text of a date, a number, word or sign at a time.
struct DateScanner {
  private let text: [UInt8]
  private var index = 0

  init(_ text: Span<UInt8>) { self.text = text.withUnsafeBufferPointer { Array($0) } }

  var isAtEnd: Bool { index >= text.count }

  /// The next byte; 0 at the end.
  var next: UInt8 { index < text.count ? text[index] : 0 }

  /// Takes one byte of `bytes`, given in ASCII; false when another stands there.
  mutating func take(_ bytes: StaticString) -> Bool {
    guard index < text.count else { return false }
    let byte = text[index]
    let isThere = bytes.withUTF8Buffer { $0.contains(byte) }
    if isThere { index += 1 }
    return isThere
  }

  /// Takes a number of at most `digits` digits; nil when there is none.
  mutating func number(digits: Int) -> Int? {
    let start = index
    var value = 0
    while index < text.count, index - start < digits, text[index].isDigit {
      value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
      index += 1
    }
    return index > start ? value : nil
  }

  /// Takes the digits of a decimal fraction.
  mutating func fraction() -> Double {
    var value = 0.0
    var unit = 0.1
    while index < text.count, text[index].isDigit {
      value += Double(text[index] - UInt8(ascii: "0")) * unit
      unit /= 10
      index += 1
    }
    // To the microsecond: the sum above carries the rounding of every digit.
    return (value * 1e6).rounded() / 1e6
  }

  /// Takes a word of ASCII letters, in lower case; empty when there is none.
  mutating func word() -> String {
    let start = index
    while index < text.count, text[index].isLetter { index += 1 }
    let letters = text[start..<index]
    return String(unsafeUninitializedCapacity: letters.count) { word in
      for (place, letter) in letters.enumerated() { word[place] = letter | 0x20 }
      return letters.count
    }
  }

  /// Passes over blanks, commas and full stops.
  mutating func skipSeparators() {
    while take(" \t\r\n,.") {}
  }

  /// Takes `+02:00`, `-0500`, `+2`; nil when no sign stands there.
  mutating func numericOffset() -> Int? {
    let isWest = next == UInt8(ascii: "-")
    guard take("+-"), let hours = number(digits: 2) else { return nil }
    _ = take(":")
    let minutes = number(digits: 2) ?? 0
    return (hours * 60 + minutes) * (isWest ? -60 : 60)
  }

  /// Takes `13:05:09.5` or the shorter `13:05`, into `moment`.
  mutating func time(into moment: inout Moment) {
    guard let hour = number(digits: 2) else { return }
    moment.hour = hour
    guard take(":") || next.isDigit else { return }
    moment.minute = number(digits: 2) ?? 0
    guard take(":") || next.isDigit else { return }
    moment.second = Double(number(digits: 2) ?? 0)
    if take(".,") { moment.second += fraction() }
  }
}
