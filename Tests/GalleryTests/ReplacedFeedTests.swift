import TestSupport
import Testing
import Workers

/// A followed feed at whose address something else answers.
struct ReplacedFeedTests {
  let library: TestLibrary
  let server: LoopbackServer
  private let answer = Locked<[UInt8]?>(nil)
  private static let feed = """
    <rss version="2.0"><channel><title>Photos</title><item><guid>1</guid><title>Moon</title>\
    <enclosure url="/moon.jpg" type="image/jpeg"/></item></channel></rss>
    """

  init() throws {
    library = try TestLibrary()
    let answer = answer
    server = try LoopbackServer { request in
      let other = answer.withLock { $0 }
      return switch request.target {
      case "/photos.xml" where other != nil:
        .whole(status: 302, fields: ["Location: /home"])
      case "/home": .whole(other ?? [], status: 200)
      default: .whole(Array(Self.feed.utf8), status: 200)
      }
    }
    try library.program.run("sync", address("/photos.xml"), "--metadata-only")
  }

  private func address(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  private static let rss = "<link rel='alternate' type='application/rss+xml' href"

  @Test(arguments: [
    ("<!DOCTYPE html><html><head>\(rss)='/comments.xml'></head></html>", "an HTML page"),
    ("<?xml version='1.0'?><html>\(rss)='/photos.xml'/>\(rss)='/comments.xml'/>", "an HTML page"),
    (
      "<!-- log in --><HTML><link rel=alternate type=application/atom+xml href=/comments.xml>",
      "an HTML page"
    ),
    (
      "<html><link rel='alternate' type='application/x-ndjson' href='/api/v1/changes'></html>",
      "an HTML page"
    ),
    ("<opml><body><outline xmlUrl='/comments.xml'/></body></opml>", "a list of feeds"),
    (#"[{"id":"1","url":"/advertisement.jpg"}]"#, "plain JSON"),
    (#"{"items":[{"id":"1","image":"/advertisement.jpg"}]}"#, "plain JSON"),
  ])
  func `fails, and nothing else is followed or changed`(_ text: String, _ name: String) throws {
    let program = library.program
    let (listed, feeds) = (try program.run("list", "--json"), try program.run("feeds"))
    try program.run("sync", address("/other.xml"), "--metadata-only")
    answer.withLock { $0 = Array(text.utf8) }

    let every = try program.run("sync", "--force", "--metadata-only")
    let named = try program.run("sync", address("/photos.xml"), "--metadata-only")
    let after = try program.run("list", "--json")
    let failed = try program.run("feeds")

    let start = "cannot sync '\(address("/photos.xml"))': there is \(name) in place of a feed — "
    #expect(every.status == 2)
    #expect(named.status == 1)
    #expect(every.errors.hasPrefix(start))
    #expect(named.errors == every.errors)
    if text.contains("/comments.xml"), name == "an HTML page" {
      let command =
        "'gallery sync \(address("/comments.xml"))' follows the feed that the page names"
      #expect(named.errors.contains("stored data stays as it is; \(command)\n"))
    }
    #expect(after.output.contains(listed.output))
    #expect(feeds.output.contains("rss"))
    #expect(failed.output.split(separator: "\n").count == 2)
    #expect(!server.requests.contains { ["/comments.xml", "/api/v1/changes"].contains($0.target) })
  }

  @Test func `is read as what it is now once it was removed`() throws {
    answer.withLock { $0 = Array("<html>\(Self.rss)='/comments.xml'></html>".utf8) }
    let program = library.program
    try program.run("remove", address("/photos.xml"))

    let again = try program.run("sync", address("/photos.xml"), "--metadata-only")

    #expect(again.status == 0)
    #expect(try program.run("feeds").output.contains("/comments.xml"))
  }
}
