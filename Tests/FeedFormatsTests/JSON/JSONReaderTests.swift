import Models
import Testing
import Workers

@testable import FeedFormats

struct JSONReaderTests {
  private static let image = #"{"title": "A", "url": "https://a.b/1.png"}"#

  @Test func `reads what comes before a cut`() throws {
    let read = try ReadDocument("{\"photos\": [\(Self.image), {\"title\": \"B")

    #expect(read.titles == ["A"])
    #expect(read.document.flaws == [.cutOff])
    #expect(!read.document.listsEverything)
  }

  @Test func `passes over an entry that is not JSON`() throws {
    let read = try ReadDocument("[\(Self.image), {\"title\" \"B\"}, \(Self.image)]")

    #expect(read.titles == ["A", "A"])
    #expect(read.document.flaws == [.malformedEntry])
  }

  @Test func `warns of what follows the end`() throws {
    let read = try ReadDocument("[\(Self.image)] and more")

    #expect(read.titles == ["A"])
    #expect(read.document.flaws == [.followed])
  }

  @Test func `unwraps a call`() throws {
    let read = try ReadDocument("/**/callback({\"items\": [\(Self.image)]});\n")

    #expect(read.titles == ["A"])
    #expect(read.document.flaws == [])
  }

  @Test func `reads a large document as it reads a small one`() throws {
    let filler = String(repeating: "x", count: 300 << 10)
    let small = "{\"title\": \"T\", \"a\": {\"b\": [\(Self.image)]}, \"c\": [\(Self.image)]"

    let read = try ReadDocument("\(small), \"filler\": \"\(filler)\"}")

    #expect(read == (try ReadDocument("\(small)}")))
  }

  @Test func `refuses an entry without end`() {
    let text = "[{\"title\": \"" + String(repeating: "x", count: 5 << 20)

    #expect(throws: FeedError.beyondLimit(of: "the bytes of one entry", limit: 4 << 20)) {
      try ReadDocument(text)
    }
  }

  @Test func `reads an object that is cut off as one entry`() throws {
    let bytes = try ReadDocument.bytes(of: "json/wordpress-photo.json")
    let whole = try ReadDocument(bytes)

    #expect(whole.images.count == 1)
    for share in 1..<20 {
      let cut = Array(bytes.prefix(bytes.count * share / 20))
      let count = (try? ReadDocument(cut).images.count) ?? 0
      #expect(count <= 1, "\(share)")
    }
  }

  @Test func `takes no objects inside a cut-off entry for images`() throws {
    let read = try ReadDocument(
      """
      {"id":"1","title":"One","urls":{"full":"https://a.b/1.jpg","small":"https://a.b/1s.jpg"},
      "group":{"id":"2","title":"Two","urls":{"full":"https://a.b/2.jpg"}},"description":"Cu
      """
    )

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.titles == ["One"])
  }

  @Test func `keeps the whole entries of a list that is cut off`() throws {
    let read = try ReadDocument(
      #"{"page":1,"photos":[{"id":1,"url":"a.jpg"},{"id":2,"url":"b.jpg"},{"id":3,"url":"c.jp"#
    )

    #expect(
      read.originals == [
        "https://example.org/folder/a.jpg", "https://example.org/folder/b.jpg",
      ]
    )
    #expect(read.document.flaws == [.cutOff])
  }
}

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

  @Test(arguments: ["", "{", "{\"a\"}", "{a: 1}", "tru", "\"a", "1 2", "\"\\x\"", "[1}"])
  func `refuses what is not JSON`(text: String) {
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
