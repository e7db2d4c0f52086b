import Testing

@testable import FeedFormats

struct NextPlaceTests {
  @Test func `finds what a search from every place finds`() {
    let bytes = Array("a>bc>>d".utf8)
    var places = NextPlace(of: UInt8(ascii: ">"))

    let forward = (0...7).map { places.from($0, in: bytes.span) }
    let backward = (0...7).reversed().map { places.from($0, in: bytes.span) }

    #expect(forward == [1, 1, 4, 4, 4, 5, nil, nil])
    #expect(backward == forward.reversed())
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["", ">", "=>"])
  func `reads a text of opening brackets`(end: String) {
    let text = String(repeating: "<z ", count: 1_400_000) + end

    let line = PlainText.line(of: text, limit: FormatLimits.caption)

    #expect(line?.hasPrefix("<z <z") == (end == "=>" ? nil : true))
  }
}
