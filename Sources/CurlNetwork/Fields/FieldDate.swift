internal import CCurl
import FoundationEssentials
import Models

/// Dates in header fields (RFC 9110, section 5.6.7).
enum FieldDate {
  /// From asctime's form up to the longest that servers write for the other two.
  private static let lengths = 24...64

  /// Seconds from 1970 to the end of 9999: years have four digits.
  private static let years = 0...253_402_300_799

  /// The date in a field's value; nil for what is none of the three forms.
  ///
  /// libcurl reads all three, and much else: what is too short to be a date with its time is left out.
  static func date(_ value: FieldLine.Bytes) -> Date? {
    let text = UnsafeRawBufferPointer(rebasing: value)
    if let seconds = FixedDate.seconds(text), years.contains(seconds) {
      return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
    guard lengths.contains(value.count), value.contains(UInt8(ascii: ":")) else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: value.count + 1) { text in
      for (place, byte) in zip(text.indices, value) { text[place] = CChar(bitPattern: byte) }
      text[value.count] = 0
      let seconds = curl_getdate(text.baseAddress, nil)
      guard years.contains(seconds) else { return nil }
      return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
  }

  /// The date in a value that was kept as text, one Unicode scalar a byte.
  static func date(_ value: String) -> Date? {
    guard value.utf8.count == value.unicodeScalars.count else { return nil }
    var value = value
    return value.withUTF8 { date(UnsafeRawBufferPointer($0)[...]) }
  }
}
