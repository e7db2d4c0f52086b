/// Cuts header lines apart, without making strings of what nobody asks for.
enum FieldLine {
  typealias Bytes = Slice<UnsafeRawBufferPointer>

  /// The line without its end and the white space around it.
  static func trimmed(_ line: UnsafeRawBufferPointer) -> Bytes { trimmed(line[...]) }

  static func trimmed(_ bytes: Bytes) -> Bytes {
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    while start < end, bytes[start] <= 0x20 { start += 1 }
    return bytes[start..<end]
  }

  /// Whether a line begins with a name, given in lower case.
  static func begins(_ line: Bytes, with name: StaticString) -> Bool {
    let (expected, count) = (name.utf8Start, name.utf8CodeUnitCount)
    guard line.count >= count else { return false }
    let bytes = UnsafeRawBufferPointer(rebasing: line)
    for index in 0..<count where lowercased(bytes[index]) != expected[index] { return false }
    return true
  }

  /// The value of a field; nil when the line is another field's or the value is empty.
  static func value(_ name: StaticString, _ line: Bytes) -> Bytes? {
    guard begins(line, with: name) else { return nil }
    let value = trimmed(line.dropFirst(name.utf8CodeUnitCount))
    return value.isEmpty ? nil : value
  }

  /// A number without sign; nil when it is none or far too large.
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
