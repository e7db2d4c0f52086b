/// Rows in the text format of COPY (postgresql.org/docs/15/sql-copy.html, "File Formats").
struct CopyRows {
  private(set) var bytes: [UInt8] = []
  private var isInRow = false

  mutating func add<Number: BinaryInteger>(_ number: Number?) {
    guard let number else { return addNull() }
    begin()
    bytes += String(number).utf8
  }

  /// A text cannot have a null character there.
  mutating func add(_ text: String?) {
    guard let text else { return addNull() }
    begin()
    if !text.utf8.contains(where: { $0 <= UInt8(ascii: "\r") || $0 == UInt8(ascii: "\\") }) {
      bytes += text.utf8
      return
    }
    for byte in text.utf8 where byte != 0 {
      switch byte {
      case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
      case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
      case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      default: bytes.append(byte)
      }
    }
  }

  /// Bytes in hexadecimal digits (section 8.4.1).
  mutating func add(_ value: [UInt8]) {
    begin()
    bytes.reserveCapacity(bytes.count + 2 * value.count + 4)
    bytes += #"\\x"#.utf8
    for byte in value {
      bytes.append(Self.digit(byte >> 4))
      bytes.append(Self.digit(byte & 15))
    }
  }

  mutating func addNull() {
    begin()
    bytes += #"\N"#.utf8
  }

  mutating func endRow() {
    bytes.append(UInt8(ascii: "\n"))
    isInRow = false
  }

  private mutating func begin() {
    if isInRow { bytes.append(UInt8(ascii: "\t")) }
    isInRow = true
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
