/// What passes unread: comments, instructions, CDATA sections.
///
/// libxml2 waits for the end of a comment or an instruction, and gives the document up when that does
/// not come; it does so with long sections, too.
extension MarkupMender {
  /// Takes what stands between two places where the end may be.
  mutating func stepInPiece(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let end = endOfPiece
    if bytes.begins(with: end, at: index) {
      pieceLength = 0
      resume()
      return index + end.utf8CodeUnitCount
    }
    let mark = end.utf8Start.pointee
    let next = bytes.first(mark, from: index + 1) ?? bytes.count
    guard pieceLength >= FormatLimits.markupPiece else {
      pieceLength += next - index
      return next
    }
    return isWithinCharacter(bytes[index])
      ? index + 1 : cutPiece(next - index, at: index, in: bytes)
  }

  /// Begins another section, or leaves the next bytes out.
  private mutating func cutPiece(_ length: Int, at index: Int, in bytes: Span<UInt8>) -> Int {
    if case .section = state {
      pieceLength = 0
      return replace(0, at: index, in: bytes, with: "]]><![CDATA[")
    }
    pieceLength = .max
    return replace(length, at: index, in: bytes)
  }

  /// Whether a cut here would damage a character; all that follows the first cut is left out.
  private func isWithinCharacter(_ byte: UInt8) -> Bool {
    pieceLength != .max && byte & 0xC0 == 0x80
  }

  private var endOfPiece: StaticString {
    switch state {
    case .section: "]]>"
    case .comment: "-->"
    default: "?>"
    }
  }
}
