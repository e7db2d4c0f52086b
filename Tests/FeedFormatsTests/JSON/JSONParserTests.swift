import Testing

@testable import FeedFormats

struct JSONParserTests {
  @Test func `decodes every kind of value`() throws {
    let value = try parse(#" {"a": [1, -2.5e3, true, false, null, "x"], "b": {}, "c": []} "#)

    #expect(
      value
        == .object([
          JSONMember(
            key: "a",
            value: .array([
              .number("1"), .number("-2.5e3"), .bool(true), .bool(false), .null, .string("x"),
            ])
          ),
          JSONMember(key: "b", value: .object([])),
          JSONMember(key: "c", value: .array([])),
        ])
    )
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u00e9 \ud83d\ude00""#, "é 😀"),
    (#""\ud83d!""#, "\u{FFFD}!"),
    (#""it\'s""#, "it's"),
  ])
  func `undoes escapes`(text: String, expected: String) throws {
    #expect(try parse(text) == .string(expected))
  }

  @Test(arguments: ["", "{", "[1,]", "{\"a\"}", "{a: 1}", "tru", "\"a", "1 2", "\"\\x\"", "[1}"])
  func `refuses what is no JSON`(text: String) {
    #expect(throws: JSONFault.self) { try parse(text) }
  }

  @Test func `refuses values nested without end`() {
    #expect(throws: JSONFault.self) { try parse(String(repeating: "[", count: 300)) }
  }

  private func parse(_ text: String) throws(JSONFault) -> JSONValue {
    let bytes = Array(text.utf8)
    return try JSONParser.value(of: bytes, in: 0..<bytes.count)
  }
}
