/// Closes an object of JSON that is cut off, so that what is whole in it can be read.
///
/// Of objects the members that are whole are kept, of arrays the elements.
struct CutJSON {
  private var closers: [UInt8] = []
  private var arrays = 0
  private var isInString = false
  private var isEscaped = false
  /// Where the last whole member or element ended, and what closes the object from there on.
  private var end: Int?
  private var ending: [UInt8] = []

  private init() {}

  /// The value; nil when nothing in it is whole, or it was broken before the cut.
  static func value(of bytes: ArraySlice<UInt8>) -> JSONValue? {
    var cut = CutJSON()
    for index in bytes.indices {
      cut.step(bytes[index], at: index)
      if cut.closers.count > FormatLimits.depth { return nil }
    }
    guard let end = cut.end else { return nil }
    let whole = bytes[..<end] + cut.ending
    do throws(JSONFault) {
      return try JSONParser.value(of: Array(whole), in: 0..<whole.count)
    } catch {
      return nil
    }
  }

  private mutating func step(_ byte: UInt8, at index: Int) {
    if isInString {
      let isEnd = byte == UInt8(ascii: "\"") && !isEscaped
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      isInString = !isEnd
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      closers.append(UInt8(ascii: "]"))
      arrays += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(at: index)
    case UInt8(ascii: ","): markEnd(at: index)
    default: break
    }
  }

  private mutating func close(at index: Int) {
    if closers.popLast() == UInt8(ascii: "]") { arrays -= 1 }
    markEnd(at: index + 1)
  }

  /// Inside an element nothing is whole before the element is.
  private mutating func markEnd(at index: Int) {
    guard arrays == 0 || arrays == 1 && closers.last == UInt8(ascii: "]") else { return }
    end = index
    ending = closers.reversed()
  }
}
