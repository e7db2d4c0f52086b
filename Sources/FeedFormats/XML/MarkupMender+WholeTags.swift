/// Tags that are as they should be, which nearly all are: they pass as they are written.
extension MarkupMender {
  /// Opens an element whose name has come whole and needs nothing closed before it.
  ///
  /// - Returns: Where the name ends; nil when it is not such a one.
  mutating func openWhole(_ bytes: Span<UInt8>, at index: Int) -> Int? {
    let end = endOfName(in: bytes, from: index + 1)
    let name = bytes.extracting((index + 1)..<end)
    guard end < bytes.count, elements.canOpen(name) else { return nil }
    hasBegun = true
    elements.open(name)
    attributes = 0
    state = .betweenAttributes
    return end
  }

  /// Closes the innermost element, where the end tag is its own and has come whole.
  ///
  /// - Returns: Where the tag ends; nil when it is not such a one.
  mutating func closeWhole(_ bytes: Span<UInt8>, at index: Int) -> Int? {
    let end = endOfName(in: bytes, from: index + 2)
    guard end < bytes.count, bytes[end] == UInt8(ascii: ">"),
      elements.isInnermost(bytes.extracting((index + 2)..<end))
    else { return nil }
    elements.close(downTo: elements.count - 1)
    resume()
    return end + 1
  }
}
