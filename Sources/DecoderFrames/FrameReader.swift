/// Takes the fields of a frame out of bytes that may lie.
struct FrameReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func number<Number: FixedWidthInteger>(
    _: Number.Type
  ) throws(FrameError) -> Number {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { throw .length }
    var number: Number = 0
    for byte in rest.prefix(size).reversed() { number = number << 8 | Number(byte) }
    rest = rest.dropFirst(size)
    return number
  }

  /// A size or a count within a range.
  mutating func count(_ name: String, in range: ClosedRange<Int>) throws(FrameError) -> Int {
    guard let count = Int(exactly: try number(UInt64.self)), range.contains(count) else {
      throw .field(name)
    }
    return count
  }

  mutating func flag(_ name: String) throws(FrameError) -> Bool {
    switch try number(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .field(name)
    }
  }

  /// A text; bytes that are no UTF-8 become replacement characters.
  mutating func text(_ name: String) throws(FrameError) -> String {
    let length = Int(try number(UInt16.self))
    guard length <= FrameLimits.messageBytes else { throw .field(name) }
    guard rest.count >= length else { throw .length }
    defer { rest = rest.dropFirst(length) }
    return String(decoding: rest.prefix(length), as: UTF8.self)
  }

  /// All that is left.
  mutating func remainder() -> ArraySlice<UInt8> {
    defer { rest = [] }
    return rest
  }

  /// Makes sure that nothing is left.
  func finish() throws(FrameError) { if !rest.isEmpty { throw .length } }
}
