internal import CCurl
import FoundationEssentials

/// Dates in header fields (RFC 9110, section 5.6.7).
enum FieldDate {
  /// From asctime's form up to the longest that servers write for the other two.
  private static let lengths = 24...64

  /// The date in a field's value; nil for what is none of the three forms.
  ///
  /// libcurl reads all three, and much else: what is too short to be a date with its time is left out.
  static func date(_ value: FieldLine.Bytes) -> Date? {
    guard lengths.contains(value.count), value.contains(UInt8(ascii: ":")) else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: value.count + 1) { text in
      for (place, byte) in zip(text.indices, value) { text[place] = CChar(bitPattern: byte) }
      text[value.count] = 0
      let seconds = curl_getdate(text.baseAddress, nil)
      return seconds < 0 ? nil : Date(timeIntervalSince1970: TimeInterval(seconds))
    }
  }

  /// The date in a value that was kept as text, one Unicode scalar a byte.
  static func date(_ value: String) -> Date? {
    guard value.utf8.count == value.unicodeScalars.count else { return nil }
    var value = value
    return value.withUTF8 { date(UnsafeRawBufferPointer($0)[...]) }
  }
}
