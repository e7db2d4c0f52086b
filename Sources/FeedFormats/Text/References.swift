/// Undoes the character references in a text that is no markup, such as an address.
enum References {
  /// The text with its references decoded once.
  static func decoded(_ bytes: Span<UInt8>) -> String {
    guard let first = bytes.first(UInt8(ascii: "&"), from: 0) else { return bytes.text }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    for index in 0..<first { output.append(bytes[index]) }
    var index = first
    while index < bytes.count { index = decode(bytes, at: index, into: &output) }
    return String(decoding: output, as: UTF8.self)
  }

  /// The text with its references decoded once.
  static func decoded(_ text: String) -> String {
    text.utf8Span.span.first(UInt8(ascii: "&"), from: 0) == nil
      ? text : decoded(text.utf8Span.span)
  }

  private static func decode(
    _ bytes: Span<UInt8>,
    at start: Int,
    into output: inout [UInt8]
  ) -> Int {
    let latest = min(bytes.count, start + CharacterReference.longestName + 2)
    if bytes[start] == UInt8(ascii: "&"),
      let end = bytes.extracting(0..<latest).first(UInt8(ascii: ";"), from: start + 1),
      let scalar = CharacterReference.scalar(named: bytes.extracting((start + 1)..<end))
    {
      output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return end + 1
    }
    output.append(bytes[start])
    return start + 1
  }
}
