import Testing

@testable import Terminal

struct PlainTextTests {
  /// Shorter and longer than what is looked at at once, with and without a rest.
  private static let lengths = [0, 1, 7, 8, 9, 15, 16, 17, 24]

  @Test(arguments: lengths)
  func `takes no byte but printable ASCII, wherever it stands`(length: Int) {
    for place in 0..<length {
      for byte in UInt8.min...UInt8.max {
        var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        text[place] = byte
        #expect(PlainText.isAll(text.span) == isPlain(byte), "byte \(byte) at \(place)")
      }
    }
  }

  /// A sum of one byte carries over into its neighbours, which must not make up for it.
  @Test(arguments: lengths)
  func `finds what is special among special bytes`(length: Int) {
    for byte in UInt8.min...UInt8.max where !isPlain(byte) {
      let text = [UInt8](repeating: byte, count: length)
      #expect(PlainText.isAll(text.span) == text.isEmpty, "\(length) times byte \(byte)")
    }
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
