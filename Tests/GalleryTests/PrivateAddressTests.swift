import Foundation
import Models
import TestSupport
import Testing

/// The addresses that a feed may use if the user has typed it, or if another document names it.
///
/// `127.0.0.1` and `localhost` are two host names of one private address.
struct PrivateAddressTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    let list = """
      [{"id":1,"title":"Own","url":"\(site.address("/moon.jpg"))",
        "thumbnailUrl":"\(site.address("/moon-small.jpg"))"},
       {"id":2,"title":"Other","url":"\(elsewhere("/sun.jpg"))",
        "thumbnailUrl":"\(elsewhere("/sun-small.jpg"))"}]
      """
    site.set("/list.json", .init(type: "application/json", body: Array(list.utf8)))
  }

  private func elsewhere(_ path: String) -> String { "http://localhost:\(site.server.port)\(path)" }

  /// The program's messages, with one name for both addresses of `localhost`: the resolver picks one.
  private func said(_ result: Program.Result) -> String {
    result.errors.replacing("leads to ::1,", with: "leads to 127.0.0.1,")
  }

  private func paths(_ targets: [String]) -> Set<String> { Set(targets) }

  @Test func `a feed leads to its own private host, and to no other`() throws {
    let result = try library.program.run("sync", site.address("/list.json"), "--originals")

    #expect(paths(site.targets) == ["/list.json", "/moon.jpg", "/moon-small.jpg"])
    #expect(
      said(result).contains(
        """
        cannot fetch the thumbnail '\(elsewhere("/sun-small.jpg"))': it leads to 127.0.0.1, a \
        loopback address, which its feed may reach only once private addresses are allowed — a \
        sync of the feed with --allow-private tries again
        """
      )
    )
    #expect(result.status == 2)
  }

  @Test func `show says why an original is not asked for`() throws {
    try library.program.run("sync", site.address("/list.json"), "--metadata-only")
    let result = try library.program.run("show", "2")
    let own = try library.program.run("show", "1")

    #expect(result.status == 4)
    #expect(said(result).contains("cannot show the original of '2': it leads to 127.0.0.1"))
    #expect(result.errors.contains("--allow-private"))
    #expect(own.status == 0)
    #expect(paths(site.targets) == ["/list.json", "/moon.jpg"])
  }

  @Test func `what the user allows once holds from then on, for all of the feed`() throws {
    try library.program.run("sync", site.address("/list.json"))
    let allowed = try library.program.run("sync", "--allow-private", "1")
    let asked = site.targets.count
    let later = try library.program.run("sync", "--force", "--originals")
    let verified = try library.program.shell(
      "find library/originals -name '*.jpg' -delete; gallery verify --repair"
    )

    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(paths(site.targets).contains("/sun-small.jpg"))
    #expect(later.status == 0, "\(later.errors)")
    #expect(paths(Array(site.targets[asked...])).isSuperset(of: ["/sun.jpg", "/sun-small.jpg"]))
    #expect(verified.output.contains("=") && !verified.errors.contains("private"))
  }

  @Test func `removing a feed takes back what was allowed`() throws {
    try library.program.run("sync", "--allow-private", site.address("/list.json"))
    try library.program.run("remove", "1")
    let again = try library.program.run("sync", "--force", site.address("/list.json"))

    #expect(again.errors.contains("--allow-private"))
    #expect(again.status == 2)
  }

  @Test func `verify repairs no picture from where its feed may not lead`() throws {
    try library.program.run("sync", "--allow-private", site.address("/list.json"), "--originals")
    try library.program.run("remove", "1")
    try library.program.run("sync", site.address("/list.json"), "--metadata-only")
    let asked = site.targets.count
    let result = try library.program.shell(
      "find library/originals -name '*.jpg' -delete; gallery verify --repair"
    )

    #expect(result.errors.contains("--allow-private") || result.output.contains("--allow-private"))
    #expect(paths(Array(site.targets[asked...])) == ["/moon.jpg"])
  }

  @Test func `a list of feeds and a web page pass on how far they may lead`() throws {
    let outlines = [site.feed, elsewhere("/photos.xml")].map { "<outline xmlUrl=\"\($0)\"/>" }
    site.set(
      "/list.opml",
      .init(
        type: "text/x-opml",
        body: Array("<opml version='2.0'><body>\(outlines.joined())</body></opml>".utf8)
      )
    )
    let page = "<html><link rel='alternate' type='application/rss+xml' href='\(elsewhere("/p"))'>"
    site.set("/page", .init(type: "text/html", body: Array(page.utf8)))

    let list = try library.program.run("sync", site.address("/list.opml"))
    let web = try library.program.run("sync", site.address("/page"))
    let feeds = try library.program.run("feeds").output
    let allowed = try library.program.run("sync", "--allow-private", site.address("/list.opml"))

    #expect(list.status == 2)
    #expect(
      said(list).contains("cannot sync '\(elsewhere("/photos.xml"))': it leads to 127.0.0.1")
    )
    #expect(said(web).contains("cannot sync '\(elsewhere("/p"))': it leads to 127.0.0.1"))
    #expect(feeds.split(separator: "\n").count { $0.contains("\topml\t") } == 1)
    // The list, its feed that was read, and the one that was refused, which is listed as failed.
    #expect(feeds.split(separator: "\n").count == 3)
    #expect(allowed.status == 0, "\(allowed.errors)")
  }

  @Test func `a document on this disk leads to no private address unless it is allowed`() throws {
    let feed = #"[{"id":1,"url":"\#(site.address("/moon.jpg"))","thumbnailUrl":"a.jpg"}]"#
    let folder = URL(filePath: library.folder)
    try Data(feed.utf8).write(to: folder.appending(path: "feed.json"))
    try Data(TestPicture.jpeg(width: 64, height: 64)).write(to: folder.appending(path: "a.jpg"))

    let usual = try library.program.run("sync", "feed.json", "--originals")
    let asked = site.server.connections.count
    let allowed = try library.program.run("sync", "--allow-private", "feed.json", "--originals")

    #expect(usual.errors.contains("cannot fetch the original '\(site.address("/moon.jpg"))'"))
    #expect(usual.output.contains("1 thumbnail stored"))
    #expect(asked == 0)
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(site.targets == ["/moon.jpg"])
  }

  @Test func `a link-local address is never asked`() throws {
    let list =
      #"[{"id":1,"url":"http://169.254.169.254/a.jpg","thumbnailUrl":"http://0.0.0.0/b.jpg"}]"#
    site.set("/bad.json", .init(type: "application/json", body: Array(list.utf8)))
    let result = try library.program.run(
      "sync",
      "--allow-private",
      "--originals",
      site.address("/bad.json")
    )

    #expect(
      result.errors.contains(
        "169.254.169.254, a link-local address, which gallery never connects to"
      )
    )
    #expect(
      result.errors.contains("0.0.0.0, an unspecified address, which gallery never connects to")
    )
    #expect(result.status == 2)
  }

  @Test func `a proxy of the user's is asked wherever it is, for addresses wherever they are`()
    throws
  {
    let proxied = "http_proxy=http://127.0.0.1:\(site.server.port)"
    for target in ["/photos.xml", "/moon-small.jpg", "/sun-small.jpg", "/stars-small.jpg"] {
      site.set("http://10.1.2.3\(target)", site.page(target))
    }

    let result = try library.program.shell("\(proxied) gallery sync http://10.1.2.3/photos.xml")

    #expect(result.errors == "")
    #expect(result.output.contains("3 thumbnails stored"))
  }

  @Test func `what a dry run allows is not stored`() throws {
    try library.program.run("sync", site.address("/list.json"), "--metadata-only")
    try library.program.run("sync", "--allow-private", "--dry-run", "1")
    let result = try library.program.run("sync")

    #expect(result.errors.contains("--allow-private"))
  }
}
