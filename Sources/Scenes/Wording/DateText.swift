import Models

/// The text of a date, put together in the string's own memory: a long list has one for each image.
struct DateText {
  /// More than any date of whole seconds in 64 bits needs.
  static let longest = 48

  private let memory: UnsafeMutableBufferPointer<UInt8>
  /// How many bytes it has so far.
  private(set) var count = 0

  /// Takes memory for `longest` bytes.
  init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

  mutating func append(_ mark: Unicode.Scalar) { append(byte: UInt8(ascii: mark)) }

  /// A number from 0 to 99, always with two digits.
  mutating func append(twoDigits number: Int) {
    append(digit: number / 10)
    append(digit: number % 10)
  }

  /// Year, month and day, joined by hyphens.
  mutating func append(_ day: CalendarDay) {
    let (year, month, dayOfMonth) = day.parts
    append(year: year)
    append("-")
    append(twoDigits: month)
    append("-")
    append(twoDigits: dayOfMonth)
  }

  /// Four digits or, where it needs them, more; before the year 0 with a minus.
  private mutating func append(year: Int) {
    if year < 0 { append("-") }
    let number = abs(year)
    if number > 9_999 {
      for byte in String(number).utf8 { append(byte: byte) }
    } else {
      append(twoDigits: number / 100)
      append(twoDigits: number % 100)
    }
  }

  private mutating func append(digit: Int) {
    append(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
  }

  private mutating func append(byte: UInt8) {
    memory[count] = byte
    count += 1
  }
}
