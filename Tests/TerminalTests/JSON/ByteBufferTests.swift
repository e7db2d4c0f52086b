import Testing

@testable import Terminal

struct ByteBufferTests {
  @Test func `keeps everything in its order while it grows`() {
    var buffer = ByteBuffer(capacity: 0)
    var expected: [UInt8] = []
    for number in 0..<1_000 {
      let text = String(repeating: "\(number)", count: number % 50)
      buffer.append(text: text)
      buffer.append(UInt8(truncatingIfNeeded: number))
      buffer.append(literal: "null")
      buffer.append(name: "b", needsComma: number % 2 == 0)
      expected += Array(text.utf8) + [UInt8(truncatingIfNeeded: number)]
      expected += Array("null\(number % 2 == 0 ? "," : "")\"b\":".utf8)
    }

    #expect(buffer.bytes == expected)
  }

  @Test func `takes a text that is longer than twice what it has room for`() {
    var buffer = ByteBuffer(capacity: 1)
    let text = String(repeating: "é", count: 100_000)
    buffer.append(UInt8(ascii: "a"))
    buffer.append(text: text)
    buffer.append(text: "")

    #expect(buffer.bytes == Array("a\(text)".utf8))
  }
}
