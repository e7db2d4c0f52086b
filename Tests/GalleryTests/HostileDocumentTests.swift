import Foundation
import TestSupport
import Testing

/// Hostile documents, read by the whole program.
struct HostileDocumentTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  @Test func `fetches and reads nothing that a document's declarations name`() throws {
    let canary = "\(library.folder)/canary"
    try Data("s3cret".utf8).write(to: URL(filePath: canary))
    let file = URL(filePath: canary).absoluteString
    put(
      """
      <?xml version="1.0"?><?xml-stylesheet href="/style"?>
      <!DOCTYPE rss SYSTEM "/definition" [<!ENTITY % p SYSTEM "/parameter"> %p;
      <!ENTITY web SYSTEM "\(site.address("/entity"))"><!ENTITY disk SYSTEM "\(file)">]>
      <rss version="2.0" xmlns:xi="http://www.w3.org/2001/XInclude"
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x /schema">
      <channel><title>&web;&disk;</title><item><title>A &disk; B</title>
      <xi:include href="\(file)" parse="text"/><xi:include href="/included"/>
      <enclosure type="image/jpeg" url="/moon.jpg"/></item></channel></rss>
      """
    )

    let result = try library.program.run("sync", site.address("/list"), "--metadata-only")
    let list = try library.program.run("list", "--json")

    #expect(result.status == 0)
    #expect(site.targets == ["/list"])
    #expect(list.output.split(separator: "\n").count == 1)
    #expect(list.output.contains(#""title":"A &disk; B""#))
    #expect(!(list.output + result.output + result.errors).contains("s3cret"))
  }

  @Test(arguments: attacks)
  func `loses nothing that is stored, and calls nothing gone`(_ attack: Attack) throws {
    put(attack.document.hasPrefix("<") ? Self.feed : Self.list)
    try library.program.run("sync", site.address("/list"), "--metadata-only")
    let before = try library.program.run("list", "--json")

    put(attack.document)
    let result = try library.program.run("sync", site.address("/list"), "--metadata-only")
    let after = try library.program.run("list", "--json")

    let isTold =
      attack.error.isEmpty ? result.errors.isEmpty : result.errors.contains(attack.error)
    #expect(isTold, "\(result)")
    #expect(before.output.split(separator: "\n").count == 3)
    #expect(after == before)
  }

  @Test func `says only to those who ask that it expands no entities, since no image is lost`()
    throws
  {
    let item = "<item><title>&a;</title><enclosure type='image/jpeg' url='/1.jpg'/></item>"
    put("<!DOCTYPE rss [<!ENTITY a \"b\">]><rss><channel>\(item)</channel></rss>")
    let quiet = try library.program.run("sync", site.address("/list"), "--metadata-only")
    let verbose = try library.program.run(
      "sync",
      site.address("/list"),
      "--metadata-only",
      "--force",
      "--verbose"
    )
    let list = try library.program.run("list", "--json")

    #expect(quiet.errors == "")
    #expect(quiet.status == 0 && verbose.status == 0)
    let blemish = "has an & that begins no character reference — nothing of it is lost"
    #expect(verbose.errors.contains(blemish), "\(verbose)")
    #expect(list.output.contains(#""title":"&a;""#))
  }

  @Test func `tells entries apart by their addresses where all have one guid`() throws {
    let count = 20_000
    put(entries(1...count))
    let first = try library.program.run("sync", site.address("/list"), "--metadata-only", "--json")
    let before = try library.program.run("list", "--json", "--sort", "feed")

    put(entries(0...count))
    let second = try library.program.run("sync", site.address("/list"), "--metadata-only", "--json")
    let after = try library.program.run("list", "--json", "--sort", "feed")

    #expect(first.output.contains(#""images":{"total":20000,"new":20000,"changed":0,"gone":0}"#))
    #expect(second.output.contains(#""images":{"total":20001,"new":1,"changed":0,"gone":0}"#))
    let old = before.output.split(separator: "\n")
    #expect(old.count == count)
    #expect(after.output.split(separator: "\n").dropFirst().elementsEqual(old))
  }

  private func entries(_ numbers: ClosedRange<Int>) -> String {
    let items = numbers.map {
      "<item><guid>x</guid><enclosure type='image/jpeg' url='/\($0).jpg'/></item>"
    }
    return "<rss version='2.0'><channel>\(items.joined())</channel></rss>"
  }

  /// A hostile document, and the message that it causes.
  struct Attack: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var error: String
    var document: String
  }

  /// A feed and a list of three images, which an attack in XML or JSON replaces.
  private static let feed =
    "<rss><channel>"
    + (1...3).map { "<item><enclosure type='image/jpeg' url='/\($0).jpg'/></item>" }.joined()
    + "</channel></rss>"
  private static let list =
    #"[{"id":1,"url":"/1.jpg"},{"id":2,"url":"/2.jpg"},{"id":3,"url":"/3.jpg"}]"#

  private static let attacks = [
    Attack("nothing", "an empty document", ""),
    Attack("white space", "white space in its first 4096 bytes", repeated(" ", 1 << 20)),
    Attack("text", "plain text", "\"" + repeated("x", 1 << 20)),
    Attack("no images", "", "[]"),
    Attack("an end too early", "cut off", #"[{"id":1,"url":"/1.jpg"},{"id":2,"#),
    Attack("depth", "the document is cut off", repeated("[", 1 << 20)),
    Attack("depth of objects", "beyond the limit of 256", repeated(#"{"a":"#, 1 << 18)),
    Attack(
      "a long entry",
      "the bytes of one entry beyond the limit of 4194304",
      #"[{"id":1,"url":"/1.jpg"},{"id":2,"title":""# + repeated("x", 5 << 20) + #""}]"#
    ),
    Attack(
      "a long name",
      "the bytes of one entry beyond the limit of 4194304",
      #"{""# + repeated("x", 5 << 20) + #"":[{"id":1,"url":"/1.jpg"}]}"#
    ),
    Attack("depth of elements", "beyond the limit of 256", "<rss>" + repeated("<a>", 1 << 18)),
    Attack(
      "entities",
      "",
      "<!DOCTYPE rss [<!ENTITY a \"\(repeated("a", 1 << 16))\">]><rss><channel><item>"
        + "<title>\(repeated("&a;", 1 << 14))</title></item></channel></rss>"
    ),
    Attack(
      "one entry's pictures",
      "the pictures of one entry beyond the limit of 5000",
      "<rss><channel><item>" + repeated("<enclosure url='/1.jpg'/>", 6_000)
    ),
    Attack(
      "a page that leads to itself",
      "there is an HTML page in place of a feed",
      "<html><head><link rel='alternate' type='application/rss+xml' href='/list'></head></html>"
    ),
    Attack(
      "a list of itself",
      "an OPML list without feeds",
      "<opml><body><outline xmlUrl='/list'/></body></opml>"
    ),
    Attack(
      "a list of files",
      "a list of files, which the web may not name",
      "<opml><body><outline xmlUrl='file:///etc/passwd'/></body></opml>"
    ),
  ]

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  private func put(_ document: String) {
    site.set("/list", .init(type: "text/plain", body: Array(document.utf8)))
  }
}

extension HostileDocumentTests.Attack {
  fileprivate init(_ name: String, _ error: String, _ document: String) {
    self.init(testDescription: name, error: error, document: document)
  }
}
