import Foundation
import Models
import Testing
import Workers

@testable import Sync

struct ChangeLineReaderTests {
  private func page(
    _ lines: String...,
    atOnce length: Int = .max,
    of gallery: GalleryAddress? = nil
  ) throws -> (page: ChangeLineReader.Page, end: ChangeLineReader.End) {
    var reader = ChangeLineReader(of: gallery)
    var rest = Array(lines.joined(separator: "\n").utf8)[...]
    while !rest.isEmpty {
      try reader.push(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return try reader.page()
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

  @Test(arguments: ["javascript:alert(1)", "data:text/html,x", "file:///etc/hosts"])
  func `takes no page that the web does not have, and no script in place of a picture`(
    address: String
  )
    throws
  {
    let data =
      #""feed":3,"position":1,"date":"2026-11-02T08:00:00Z","firstSeen":"2026-11-02T08:00:00Z""#
    let (page, _) = try page(
      #"{"seq":1,"op":"put","type":"image","id":1,"data":{\#(data),"originalURL":"https://a.bc/a","#
        + #""pageURL":"\#(address)"}}"#,
      #"{"seq":2,"op":"put","type":"image","id":2,"data":{\#(data),"originalURL":"\#(address)"}}"#,
      Self.end
    )

    // The gallery may have pictures of its own files, which the copy gets from the gallery.
    #expect(page.lines.map(\.position.id) == (address.hasPrefix("file:") ? [1, 2] : [1]))
    guard case .image(let image) = page.lines[0].state else { throw CancellationError() }
    #expect(image.fields.pageAddress == nil)
  }

  @Test func `addresses of the gallery stand for those that it does not tell`() throws {
    let gallery = MirrorBench.gallery
    let dates = #""date":"2026-11-02T08:00:00Z","firstSeen":"2026-11-02T08:00:00Z""#
    let hash = String(repeating: "a", count: 64)
    let picture = #""thumbnail":{"sha256":"\#(hash)","type":"image/png","bytes":9"#
    let lines = [
      #"{"seq":1,"op":"put","type":"feed","id":3,"data":{"title":"Scans"}}"#,
      #"{"seq":2,"op":"put","type":"image","id":7,"data":{"feed":3,"position":1,\#(dates),\#(picture)}}}"#,
      #"{"seq":3,"op":"put","type":"image","id":8,"data":{"feed":3,"position":2,\#(dates),\#(picture),"made":true}}}"#,
      #"{"seq":4,"op":"put","type":"image","id":9,"data":{"feed":3,"position":3,\#(dates),"originalURL":"x"}}"#,
      Self.end,
    ].joined(separator: "\n")
    let (page, _) = try page(lines, of: gallery)

    guard case .feed(let feed) = page.lines[0].state, case .image(let named) = page.lines[1].state,
      case .image(let made) = page.lines[2].state
    else { throw CancellationError() }
    #expect(page.lines.count == 3)
    #expect(feed.address == gallery.feed(3, of: ""))
    #expect(named.fields.originalAddress == gallery.original(ofImage: 7)?.text)
    #expect(named.fields.thumbnailAddress == gallery.base.text + "t/\(hash)")
    #expect(made.fields.thumbnailAddress == nil)
    // Without the gallery, there is nothing that could stand for them.
    #expect(try self.page(lines).page.lines == [])
  }

  @Test(arguments: [Int.min, -1, 0, .max])
  func `limits the numbers of pictures`(number: Int) throws {
    let picture = #"{"sha256":"\#(String(repeating: "a", count: 64))","type":"image/png","bytes":"#
    let sizes = #""width":\#(number),"height":\#(number)"#
    let (page, _) = try page(
      #"{"seq":2,"op":"put","type":"image","id":7,"data":{"feed":3,"position":\#(number),"#
        + #""date":"2026-11-02T08:00:00Z","firstSeen":"2026-11-02T08:00:00Z","#
        + #""originalURL":"https://a.bc/a.jpg","bytes":\#(number),\#(sizes),"#
        + #""thumbnail":\#(picture)\#(number),\#(sizes)}}}"#,
      #"{"seq":1,"op":"put","type":"feed","id":3,"data":{"url":"https://a.bc/","images":\#(number)}}"#,
      Self.end
    )

    guard case .image(let image) = page.lines[0].state, case .feed(let feed) = page.lines[1].state
    else { throw CancellationError() }
    let most = Int.max.bounded
    #expect((0...most).contains(image.fields.bytes ?? -1))
    #expect((0...most).contains(feed.imageCount))
    #expect(image.fields.width == nil && image.fields.height == nil)
    let info = image.thumbnail?.info
    #expect(info?.width == nil && (0...most).contains(info?.bytes ?? 0))
  }

  @Test(arguments: ["", "<html>", "null", #"{"cursor":7}"#])
  func `refuses what has no end`(text: String) {
    #expect(throws: GalleryFault.malformedPage) { try page(text) }
  }

  @Test func `refuses lines that are none`() {
    #expect(throws: GalleryFault.malformedPage) { try page("[]", Self.end) }
  }

  @Test(arguments: [1, 2, 7, 100]) func `reads lines as they arrive`(length: Int) throws {
    let lines = [
      #"{"seq":3,"op":"delete","type":"image","id":8}"#, "",
      #"{"seq":1,"op":"put","type":"person","id":3,"data":{}}"#,
    ].joined(separator: "\n")
    let (page, end) = try page(lines, Self.end, "", atOnce: length)

    #expect(page.lines.map(\.position.id) == [8] && page.lineCount == 2)
    #expect(page.bytes == lines.utf8.count + Self.end.utf8.count + 2)
    #expect(end.cursor == "1.a.1.0.0.4")
  }

  @Test(arguments: ["image", "person"])
  func `refuses more lines than a page may have, whatever they are`(type: String) throws {
    let limit = SyncLimits.linesPerGalleryPage
    let line = #"{"seq":3,"op":"delete","type":"\#(type)","id":8}"# + "\n"
    let full = String(repeating: line, count: limit)

    #expect(try page(full + Self.end).page.lineCount == limit)
    #expect(throws: GalleryFault.longPage(limit: limit)) { try page(full + line + Self.end) }
  }

  @Test func `refuses a line without end before it has arrived`() throws {
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: SyncLimits.galleryLineBytes)
    var reader = ChangeLineReader()
    try reader.push(piece)

    #expect(throws: GalleryFault.malformedPage) { try reader.push([0x78]) }
  }

  @Test(arguments: [
    ("a/../b", "a"), ("", "a"), ("a\\r\\n", "a"), ("ä", "a"),
    (String(repeating: "a", count: 1_025), "a"), ("a", String(repeating: "a", count: 201)),
  ])
  func `refuses a cursor and a library that cannot be stored`(cursor: String, library: String) {
    #expect(throws: GalleryFault.malformedPage) {
      try page(#"{"cursor":"\#(cursor)","more":false,"library":"\#(library)"}"#)
    }
  }

  @Test func `takes a cursor and a library that are as long as they may be`() throws {
    let (cursor, library) = (
      String(repeating: "a", count: 1_024), String(repeating: "a", count: 200)
    )
    let (_, end) = try page(#"{"cursor":"\#(cursor)","more":false,"library":"\#(library)"}"#)

    #expect(end.cursor == cursor && end.library == library)
  }
}
