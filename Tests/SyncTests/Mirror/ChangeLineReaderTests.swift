import Foundation
import Models
import Testing
import Workers

@testable import Sync

struct ChangeLineReaderTests {
  private func page(
    _ lines: String...
  ) throws -> (page: ChangeLineReader.Page, end: ChangeLineReader.End) {
    try ChangeLineReader().page(Array(lines.joined(separator: "\n").utf8))
  }

  private static let end = #"{"cursor":"1.a.1.0.0.4","more":false,"library":"a"}"#

  @Test func `reads lines of every kind`() throws {
    let (page, end) = try page(
      #"{"seq":1,"op":"put","type":"feed","id":3,"data":{"url":"https://a.bc/","title":"A","format":"rss"}}"#,
      #"{"seq":2,"op":"put","type":"image","id":7,"data":{"feed":3,"position":512,"date":"2026-11-02T08:00:00Z","#
        + #""firstSeen":"2026-11-02T08:00:00Z","originalURL":"https://a.bc/a.jpg","entry":"e","gone":true}}"#,
      #"{"seq":3,"op":"delete","type":"image","id":8}"#,
      #"{"seq":4,"op":"put","type":"pin","id":7,"data":{"pinned":"1970-01-01T00:00:09Z"}}"#,
      Self.end
    )

    #expect(end.cursor == "1.a.1.0.0.4" && !end.more)
    #expect(end.library == "a")
    #expect(page.lines.map(\.position.id) == [3, 7, 8, 7])
    guard case .image(let image) = page.lines[1].state else { throw CancellationError() }
    #expect(image.entryID == "e" && image.isGone && image.position == 512 && image.feedID == 3)
    #expect(image.fields.originalAddress == "https://a.bc/a.jpg")
    #expect(image.date == 1_793_606_400)
    #expect(page.lines[2].state == .removed)
    #expect(page.lines[3].state == .pin(Date(timeIntervalSince1970: 9)))
  }

  @Test(arguments: [
    #"{"seq":1,"op":"put","type":"person","id":3,"data":{}}"#,
    #"{"seq":1,"op":"move","type":"image","id":3}"#,
    #"{"seq":1,"op":"put","type":"image","id":3,"data":{"feed":"x"}}"#,
    #"{"seq":1,"op":"put","type":"feed","id":3,"data":{"url":"javascript:alert(1)"}}"#,
    #"{"seq":1,"op":"put","type":"image","id":3}"#,
    #"{"seq":1,"op":"put","type":"image","id":7,"data":{"feed":3,"position":1,"date":"2026-11-02T08:00:00Z","#
      + #""firstSeen":"2026-11-02T08:00:00Z","originalURL":"https://a.bc/a.jpg","title":""#
      + String(repeating: "x", count: 65_537) + #""}}"#,
  ]) func `leaves out what it does not know`(line: String) throws {
    #expect(try page(line, Self.end).page.lines == [])
  }

  @Test(arguments: ["", "<html>", "null", #"{"cursor":7}"#])
  func `refuses what has no end`(text: String) {
    #expect(throws: GalleryFault.malformedPage) { try page(text) }
  }

  @Test func `refuses lines that are none`() {
    #expect(throws: GalleryFault.malformedPage) { try page("[]", Self.end) }
  }
}
