/// Finds the end of one value, over any number of chunks, without decoding it.
struct JSONScan {
  /// Where the value begins.
  private(set) var start: Int
  private var index: Int
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  init(from start: Int) {
    self.start = start
    index = start
  }

  /// The place behind the value's last byte; nil when more bytes are needed.
  mutating func end(in bytes: [UInt8]) -> Int? {
    while index < bytes.count {
      let byte = bytes[index]
      if isInString {
        if let end = scanString(byte) { return end }
      } else if let end = scanStructure(byte) {
        return end
      }
      index += 1
    }
    return nil
  }

  /// How many bytes of the value have been seen.
  var length: Int { index - start }

  /// Takes note that the bytes before the value have been dropped.
  mutating func shift(by count: Int) {
    start -= count
    index -= count
  }

  private mutating func scanString(_ byte: UInt8) -> Int? {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      return depth == 0 ? index + 1 : nil
    }
    return nil
  }

  private mutating func scanStructure(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "\""):
      if depth == 0, index > start { return index }
      isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { return index }
      depth -= 1
      if depth == 0 { return index + 1 }
    case UInt8(ascii: ","), 0...0x20:
      if depth == 0 { return index }
    default: break
    }
    return nil
  }
}
