import Foundation
import TestSupport
import Testing

/// Feeds of every kind over HTTP: the images of the first sync, and the requests of the second one.
struct EveryFeedTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  @Test func `a IIIF collection of three manifests is one feed`() throws {
    let manifests = ["a", "b", "c"].map { #"{"id":"/\#($0).json","type":"Manifest"}"# }
    set(
      "/collection.json",
      #"{"@context":"http://iiif.io/api/presentation/3/context.json","type":"Collection","#
        + #""id":"/collection.json","label":{"en":["Maps"]},"items":["#
        + manifests.joined(separator: ",") + "]}"
    )
    for name in ["a", "b", "c"] { set("/\(name).json", manifest(name)) }

    let result = try library.program.run(
      "sync",
      site.address("/collection.json"),
      "--metadata-only"
    )

    #expect(result.output.hasPrefix("updated 'Maps': 3 images, 3 new"))
    #expect(result.status == 0)
    try expectOneConditionalRequest(
      each: ["/collection.json", "/a.json", "/b.json", "/c.json"]
    )
  }

  @Test func `an OPML list of five feeds of five kinds stores the four that can be read`() throws {
    set("/one.json", #"[{"id":1,"url":"/moon.jpg","width":640,"height":480}]"#)
    set(
      "/two.json",
      #"{"version":"https://jsonfeed.org/version/1.1","title":"Two","items":[{"id":"2","#
        + #""image":"/sun.jpg"}]}"#
    )
    set(
      "/three.xml",
      #"<feed xmlns="http://www.w3.org/2005/Atom"><title>Three</title><entry><id>3</id>"#
        + #"<link rel="enclosure" type="image/jpeg" href="/stars.jpg"/></entry></feed>"#
    )
    set("/four.xml", "<html><body>moved</body></html>")
    let outlines = ["/one.json", "/two.json", "/three.xml", "/four.xml", "/photos.xml"].map {
      "<outline text='x' type='rss' xmlUrl='\(site.address($0))'/>"
    }
    set(
      "/list.opml",
      "<opml version='2.0'><head><title>L</title></head><body>\(outlines.joined())</body></opml>"
    )

    let result = try library.program.run("sync", site.address("/list.opml"), "--metadata-only")

    #expect(result.status == 2)
    #expect(result.output.split(separator: "\n").count { $0.hasPrefix("updated") } == 5)
    #expect(result.output.contains("updated 'L': 5 feeds, 5 new"))
    #expect(result.errors.contains("/four.xml': not a feed but an HTML page"))
    // The program requests a document again if it could not be read.
    try expectOneConditionalRequest(
      each: ["/list.opml", "/one.json", "/two.json", "/three.xml", "/photos.xml"],
      besides: ["/four.xml"]
    )
  }

  @Test func `an OPML list is followed: it gains and loses feeds, and goes without them`() throws {
    let image = #"[{"id":1,"url":"/moon.jpg","width":640,"height":480}]"#
    for name in ["a", "b", "other"] { set("/\(name).json", image) }
    setList(["a", "b"])
    try library.program.run("sync", site.address("/list.opml"), "--metadata-only")
    try library.program.run("remove", site.address("/a.json"))
    setList(["a", "other"])

    let dry = try library.program.run("sync", "--dry-run", "--metadata-only")
    let changed = try library.program.run("sync", "--metadata-only")
    let record = try library.program.run("sync", "L", "--metadata-only", "--json")
    let feeds = try library.program.shell("gallery feeds | cut -f 2-5")
    set("/list.opml", "<opml version='2.0'><head><title>L</title></head><body>")
    let broken = try library.program.run("sync", "L", "--metadata-only")
    let removed = try library.program.run("remove", "L")

    #expect(dry.output.contains("would update 'L': 2 feeds, 1 new, 1 no longer listed"))
    #expect(changed.output.contains("updated 'L': 2 feeds, 1 new, 1 no longer listed"))
    #expect(
      steady(changed.errors, site: site)
        == "'L' has 'http://site/b.json' no longer — it is followed until it is removed\n"
    )
    #expect(record.output.contains(#""list":{"total":2,"new":0,"lost":[]}"#))
    #expect(
      steady(feeds.output, site: site) == """
        L\thttp://site/list.opml\topml\t0
        \thttp://site/b.json\tjson\t1
        \thttp://site/other.json\tjson\t1

        """
    )
    #expect(broken.status != 0)
    #expect(!broken.errors.contains("no longer"))
    #expect(
      removed.output
        == "removed the list 'L': gallery no longer asks for it — its 2 feeds stay as they are\n"
    )
    #expect(try library.program.shell("gallery feeds | wc -l").output == "2\n")
  }

  @Test func `an OPML list on the disk is followed, too`() throws {
    let list = { (names: [String]) in
      let outlines = names.map { "<outline xmlUrl='\(site.address($0))'/>" }
      return Data("<opml><body>\(outlines.joined())</body></opml>".utf8)
    }
    let file = URL(filePath: library.folder).appending(path: "feeds.opml")
    set("/a.json", #"[{"id":1,"url":"/moon.jpg"}]"#)
    try list(["/photos.xml"]).write(to: file)
    try library.program.run("sync", "feeds.opml", "--metadata-only", "--allow-private")
    try list(["/photos.xml", "/a.json"]).write(to: file)

    let gained = try library.program.run("sync", "--metadata-only")

    #expect(gained.status == 0, "\(gained.errors)")
    #expect(gained.output.contains("2 feeds, 1 new"))
    #expect(gained.output.contains("/a.json': 1 image, 1 new"))
  }

  private func setList(_ names: [String]) {
    let outlines = names.map { "<outline xmlUrl='\(site.address("/\($0).json"))'/>" }
    set(
      "/list.opml",
      "<opml version='2.0'><head><title>L</title></head><body>\(outlines.joined())</body></opml>"
    )
  }

  @Test func `a web page leads to its feed`() throws {
    set(
      "/blog",
      "<!doctype html><html><head><link rel=alternate type='application/rss+xml' "
        + "href='photos.xml'></head><body>Hello</body></html>"
    )

    let result = try library.program.run("sync", site.address("/blog"), "--metadata-only")

    #expect(result.output.hasPrefix("updated 'Night sky': 3 images, 3 new"))
    try expectOneConditionalRequest(each: ["/photos.xml"])
  }

  @Test(arguments: [
    #""next_page":"URL","photos":[IMAGE]"#, #""next_url":"URL","items":[IMAGE]"#,
    #""next":"URL","results":[IMAGE]"#, #""meta":{"next_page":"URL"},"data":[IMAGE]"#,
    #""continue":{"page":"NUMBER"},"query":{"pages":[IMAGE]}"#,
  ])
  func `a JSON list of four pages is read to its end`(shape: String) throws {
    for page in 1...4 {
      var body = "{\(shape)}"
        .replacing("IMAGE", with: image(page))
        .replacing("URL", with: site.address("/list?page=\(page + 1)"))
        .replacing("NUMBER", with: "\(page + 1)")
      if page == 4 { body = #"{"results":[\#(image(page))]}"# }
      set(page == 1 ? "/list" : "/list?page=\(page)", body)
    }

    let result = try library.program.run("sync", site.address("/list"), "--metadata-only")

    #expect(result.output.contains("4 images, 4 new"))
    try expectOneConditionalRequest(each: ["/list"])
  }

  @Test func `a JSON list whose pages only the header links is read to its end`() throws {
    for page in 1...4 {
      let next = "Link: <\(site.address("/list?page=\(page + 1)"))>; rel=\"next\""
      set(
        page == 1 ? "/list" : "/list?page=\(page)",
        "[\(image(page))]",
        fields: page < 4 ? [next] : []
      )
    }

    let result = try library.program.run("sync", site.address("/list"), "--metadata-only")

    #expect(result.output.contains("4 images, 4 new"))
    try expectOneConditionalRequest(each: ["/list"])
  }

  @Test func `a windows-1251 RSS and a Shift_JIS Atom feed are read in their encodings`() throws {
    let russian: [UInt8] = [0xCB, 0xF3, 0xED, 0xE0]
    let rss =
      Array("<?xml version='1.0' encoding='windows-1251'?><rss version='2.0'><channel>".utf8)
      + Array("<title>R</title><item><title>".utf8) + russian
      + Array("</title><enclosure url='/moon.jpg' type='image/jpeg'/></item></channel></rss>".utf8)
    let japanese: [UInt8] = [0x8C, 0x8E]
    let atom =
      Array("<?xml version='1.0' encoding='Shift_JIS'?>".utf8)
      + Array("<feed xmlns='http://www.w3.org/2005/Atom'><title>J</title><entry><title>".utf8)
      + japanese
      + Array(
        "</title><link rel='enclosure' type='image/jpeg' href='/sun.jpg'/></entry></feed>".utf8
      )
    site.set("/russian.xml", .init(type: "application/xml", body: rss))
    site.set("/japanese.xml", .init(type: "application/xml", body: atom))

    try library.program.run(
      "sync",
      site.address("/russian.xml"),
      site.address("/japanese.xml"),
      "--metadata-only"
    )

    let titles = try library.program.shell("gallery list | cut -f 4 | sort").output
    #expect(titles == "Луна\n月\n")
    try expectOneConditionalRequest(each: ["/russian.xml", "/japanese.xml"])
  }

  @Test func `a picture is not a feed either`() throws {
    let result = try library.program.run("sync", site.address("/moon.jpg"))

    #expect(result.status == 1)
    #expect(result.errors.contains("not a feed but a JPEG image"))
  }

  @Test(arguments: [
    ("<html><body>Hello</body></html>", "an HTML page"), ("%PDF-1.7 x", "a PDF document"),
    ("", "an empty document"), ("\u{FFFD}PNG", "plain text"),
  ])
  func `describes what is not a feed by its appearance`(body: String, kind: String) throws {
    set("/thing", body)
    let result = try library.program.run("sync", site.address("/thing"))

    #expect(result.status == 1)
    #expect(result.errors.contains("not a feed but \(kind)"))
  }

  /// Syncs again, and expects one conditional request for each of the known documents.
  private func expectOneConditionalRequest(
    each paths: [String],
    besides others: [String] = []
  ) throws {
    let before = site.server.requests.count
    let result = try library.program.run("sync", "--metadata-only")

    let requests = site.server.requests[before...].filter { !others.contains($0.target) }
    #expect(requests.map(\.target).sorted() == paths.sorted())
    #expect(requests.allSatisfy { $0["If-None-Match"] != nil })
    #expect(!result.output.contains("updated"))
  }

  private func set(_ path: String, _ body: String, fields: [String] = []) {
    site.set(path, .init(type: "text/plain", body: Array(body.utf8), fields: fields))
  }

  private func image(_ number: Int) -> String {
    #"{"id":\#(number),"title":"\#(number)","image_url":"/image-\#(number).jpg"}"#
  }

  private func manifest(_ name: String) -> String {
    """
    {"@context":"http://iiif.io/api/presentation/3/context.json","type":"Manifest",
    "id":"/\(name).json","label":{"en":["\(name)"]},"items":[{"id":"/\(name)/1","type":"Canvas",
    "items":[{"type":"AnnotationPage","items":[{"type":"Annotation","motivation":"painting",
    "body":{"id":"/\(name).jpg","type":"Image","format":"image/jpeg"}}]}]}]}
    """
  }
}
