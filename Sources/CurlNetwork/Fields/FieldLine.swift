internal import CCurl
import FoundationEssentials
import Models

/// Parses header lines as bytes, without creating a string for each field.
enum FieldLine {
  typealias Bytes = Slice<UnsafeRawBufferPointer>

  /// The line without its line ending and surrounding white space.
  static func trimmed(_ line: UnsafeRawBufferPointer) -> Bytes { trimmed(line[...]) }

  static func trimmed(_ bytes: Bytes) -> Bytes {
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    while start < end, bytes[start] <= 0x20 { start += 1 }
    return bytes[start..<end]
  }

  /// Whether a line begins with a name, ignoring case; the name must be in lower case.
  static func begins(_ line: Bytes, with name: StaticString) -> Bool {
    let (expected, count) = (name.utf8Start, name.utf8CodeUnitCount)
    guard line.count >= count else { return false }
    let bytes = UnsafeRawBufferPointer(rebasing: line)
    for index in 0..<count where lowercased(bytes[index]) != expected[index] { return false }
    return true
  }

  /// The value of a field; nil when the line holds another field or the value is empty.
  static func value(_ name: StaticString, _ line: Bytes) -> Bytes? {
    guard begins(line, with: name) else { return nil }
    let value = trimmed(line.dropFirst(name.utf8CodeUnitCount))
    return value.isEmpty ? nil : value
  }

  /// Reads an unsigned number; nil when the bytes are not a number of at most 18 digits.
  static func number(_ bytes: Bytes) -> Int? {
    let digits = trimmed(bytes)
    guard !digits.isEmpty, digits.count < 19 else { return nil }
    var number = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}

/// Header bytes as text, with one Unicode scalar for each byte (ISO 8859-1), so that no byte is lost.
enum HeaderText {
  static func decoded(_ bytes: some Collection<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// The line of a field as a C string; nil when the value contains NUL, a line break or a character beyond ISO 8859-1.
  ///
  /// Whether C's characters have a sign depends on the processor, so bytes are only truncated.
  static func line(_ name: String, _ value: String) -> [CChar]? {
    var line: [CChar] = []
    line.reserveCapacity(name.utf8.count + value.utf8.count + 3)
    for byte in "\(name): ".utf8 { line.append(CChar(truncatingIfNeeded: byte)) }
    for scalar in value.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value), byte != 0, byte != 0x0A, byte != 0x0D else {
        return nil
      }
      line.append(CChar(truncatingIfNeeded: byte))
    }
    line.append(0)
    return line
  }
}

/// Dates in header fields (RFC 9110, section 5.6.7).
enum FieldDate {
  /// The lengths of a date in bytes, from the asctime form to the longest form that servers write.
  private static let lengths = 24...64

  /// Seconds since 1970, up to the end of the year 9999, because years have four digits.
  private static let years = 0...253_402_300_799

  /// The date in a field's value; nil when the value has none of the three forms.
  ///
  /// libcurl reads all three. It also reads texts without a time; this function rejects them.
  static func date(_ value: FieldLine.Bytes) -> Date? {
    let text = UnsafeRawBufferPointer(rebasing: value)
    if let seconds = FixedDate.seconds(text), years.contains(seconds) {
      return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
    guard lengths.contains(value.count), value.contains(UInt8(ascii: ":")) else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: value.count + 1) { text in
      for (index, byte) in zip(text.indices, value) {
        text[index] = CChar(truncatingIfNeeded: byte)
      }
      text[value.count] = 0
      let seconds = curl_getdate(text.baseAddress, nil)
      guard years.contains(seconds) else { return nil }
      return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
  }

  /// The date in a value that `HeaderText` has decoded.
  static func date(_ value: String) -> Date? {
    guard value.utf8.count == value.unicodeScalars.count else { return nil }
    var value = value
    return value.withUTF8 { date(UnsafeRawBufferPointer($0)[...]) }
  }
}
