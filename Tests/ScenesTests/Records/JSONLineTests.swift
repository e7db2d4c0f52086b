import Testing

@testable import Scenes

struct JSONLineTests {
  @Test(arguments: [
    ("", #""""#),
    ("plain / text", #""plain / text""#),
    ("Größe 月 👩‍🚀", #""Größe 月 👩‍🚀""#),
    (#"say "hi" \ bye"#, #""say \"hi\" \\ bye""#),
    ("\t\n\r", #""\t\n\r""#),
    ("\u{0}\u{8}\u{C}\u{1B}\u{7F}", #""\u0000\u0008\u000c\u001b\u007f""#),
    ("\u{80}\u{9B}\u{9F}", #""\u0080\u009b\u009f""#),
    ("a\u{202E}b\u{2066}c\u{200F}\u{61C}", #""a\u202eb\u2066c\u200f\u061c""#),
    ("\u{2028}\u{2029}\u{FEFF}", #""\u2028\u2029\ufeff""#),
    ("\u{E0041}", #""\udb40\udc41""#),
  ])
  func `escapes what the format or a terminal would take for more than text`(
    _ text: String,
    _ string: String
  ) {
    #expect(line(["a": .text(text)]) == #"{"a":\#(string)}"# + "\n")
  }

  @Test func `writes values in the order of its members, and unknown ones as null`() {
    let line = line([
      "b": 1, "a": .integer(.min), "none": .integer(nil), "text": .text(nil), "yes": true,
      "no": false, "real": 0.42, "infinite": .real(.infinity), "record": .record(nil),
      "ranges": .ranges(nil),
    ])

    let members = """
      "b":1,"a":-9223372036854775808,"none":null,"text":null,"yes":true,"no":false,"real":0.42,\
      "infinite":null,"record":null,"ranges":null
      """
    #expect(line == "{\(members)}\n")
  }

  @Test func `copies what stands between two escapes`() {
    let text = "\u{9B}é 月\"👩‍🚀\\\u{2066}\u{2065}ü\nend\u{E0041}"

    let string = #""\u009bé 月\"👩‍🚀\\\u2066\#u{2065}ü\nend\udb40\udc41""#
    #expect(line(["a": .text(text)]) == #"{"a":\#(string)}"# + "\n")
  }

  @Test func `writes a line for each record`() {
    #expect(text([["id": 7], ["id": 8]]) == #"{"id":7}"# + "\n" + #"{"id":8}"# + "\n")
    #expect(text([]) == "")
  }

  @Test func `nests records and lists`() {
    let line = line([
      "empty": [:],
      "outer": ["inner": ["a": 1], "b": 2],
      "none": .records([]),
      "list": .records([["c": 3], ["c": 4]]),
      "numbers": .numbers([1, -2]),
      "ranges": .ranges([1...2, 4...4]),
      "end": 5,
    ])

    let members = """
      "empty":{},"outer":{"inner":{"a":1},"b":2},"none":[],"list":[{"c":3},{"c":4}],\
      "numbers":[1,-2],"ranges":[[1,2],[4,4]],"end":5
      """
    #expect(line == "{\(members)}\n")
  }

  private func line(_ record: Record) -> String { text([record]) }

  private func text(_ records: [Record]) -> String {
    String(decoding: JSONLine.lines(records), as: UTF8.self)
  }
}

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

struct PlainJSONTests {
  @Test func `takes no byte but printable ASCII, wherever it stands`() {
    for place in 0..<3 {
      for byte in UInt8.min...UInt8.max {
        var text = [UInt8](repeating: UInt8(ascii: "a"), count: 3)
        text[place] = byte
        #expect(JSONLine.isPlain(text.span) == isPlain(byte), "byte \(byte) at \(place)")
      }
    }
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
