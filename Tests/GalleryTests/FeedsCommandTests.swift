import Foundation
import Testing

struct FeedsCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary(syncing: site.feed, "--originals")
  }

  @Test func `lists feeds as lines and as JSON`() throws {
    let lines = try library.program.run("feeds")
    let json = try library.program.run("feeds", "--json")

    #expect(
      steady(lines.output, site: site)
        == "1\tNight sky\thttp://site/photos.xml\tmediarss\t3\tNOW\tupdated\t\n"
    )
    #expect(
      steady(json.output, site: site) == """
        {"id":1,"url":"http://site/photos.xml","title":"Night sky","format":"mediarss","images":3,\
        "lastSync":"NOW","status":"updated","problem":null,"damaged":0,"failures":[],"listedFeeds":null,\
        "keep":null,"keepOriginals":null,"every":null,"nextSync":"NOW"}

        """
    )
  }

  @Test func `removing hides, and syncing again brings the same ids back`() throws {
    let removed = try library.program.run("remove", "1")
    #expect(
      removed.output == """
        removed 'Night sky': 3 images hidden — syncing its address again brings them back

        """
    )
    #expect(try library.program.run("list").output == "")
    #expect(try library.program.run("feeds").output == "")
    #expect(try library.program.run("show", "1").status == 3)

    try library.program.run("sync", site.feed)
    #expect(try library.program.shell("gallery list | cut -f 1").output == "1\n2\n3\n")
  }

  @Test func `purging deletes images and files, and never gives an id away again`() throws {
    let purged = try library.program.run("remove", site.feed, "--purge", "--json")
    #expect(
      steady(purged.output, site: site)
        == "{\"id\":1,\"url\":\"http://site/photos.xml\",\"images\":3,\"originals\":3,\"purged\":true}\n"
    )
    #expect(try library.program.shell("find library -name '*.jpg'").output == "")

    try library.program.run("sync", site.feed)
    #expect(try library.program.shell("gallery list | cut -f 1").output == "4\n5\n6\n")
  }

  @Test(arguments: [("sync", ""), ("sync", " "), ("backup", "")])
  func `an empty text names neither a feed nor a place`(command: String, text: String) throws {
    let before = try library.program.run("feeds").output

    #expect(try library.program.run(command, text).status == 64)
    #expect(try library.program.run("feeds").output == before)
  }

  @Test func `takes only the picture in front after feeds set, and all again`() throws {
    let feed = """
      <rss version="2.0"><channel><title>Posts</title><item><guid>1</guid>
      <enclosure url="https://a.example/front.jpg" type="image/jpeg"/><description>
      &lt;img src="https://a.example/1.jpg"&gt;&lt;img src="https://a.example/2.jpg"&gt;
      </description></item></channel></rss>
      """
    _ = try library.program.shell("cat > posts.xml <<'END'\n\(feed)\nEND")
    _ = try library.program.shell("gallery sync posts.xml --metadata-only")
    let all = try library.program.shell("gallery list --feed Posts | wc -l")

    let front = try library.program.run("feeds", "set", "Posts", "--images", "front")
    let explained = try library.program.shell("gallery sync posts.xml --explain")
    let json = try library.program.run("feeds", "--json")
    try library.program.run("feeds", "set", "Posts", "--images", "all")
    let again = try library.program.run("feeds", "--json")

    #expect(all.output.contains("3"))
    #expect(
      front.output == """
        'Posts' gives only the picture in front of an entry from the next sync on — its 3 stored images stay; \
        'gallery remove 2 --purge' deletes all of them, and a sync of its address then brings those in front, \
        under new ids

        """
    )
    #expect(explained.output.contains("a place that counts before it names the images"))
    #expect(json.output.contains("\"imageChoice\":\"front\""))
    #expect(!again.output.contains("imageChoice"))
    #expect(try library.program.run("feeds", "set", "Posts", "--images", "few").status == 64)
  }

  @Test func `removing names a feed that is not followed`() throws {
    let result = try library.program.run("remove", "5")

    #expect(result.status == 3)
    #expect(result.errors == "no feed '5' is followed — 'gallery feeds' lists the ones that are\n")
  }

  @Test func `removing takes several ids in one word`() throws {
    let falling = try library.program.run("remove", "3-1")
    let others = try library.program.run("remove", "2-3")
    let number = try library.program.run("remove", "1,234")
    let list = try library.program.run("remove", "1,5")
    try library.program.run("sync", site.feed)
    let range = try library.program.run("remove", "1-3")

    let end = "is followed — 'gallery feeds' lists the ones that are\n"
    #expect(
      falling.errors
        == "no feed '3-1' is followed; a range of ids rises: 1-3 — 'gallery feeds' lists the ones that are\n"
    )
    #expect(falling.status == 3)
    #expect(others.errors == "no feed '2-3' \(end)")
    #expect(number.errors.contains("several are named one by one: 1 234"))
    #expect(range.output.hasPrefix("removed 'Night sky': 3 images hidden") && range.errors == "")
    #expect(list.output.hasPrefix("removed 'Night sky': 3 images hidden"))
    #expect(list.errors == "no feed '5' \(end)")
  }

  @Test func `a title that the user gives names the feed everywhere`() throws {
    let set = try library.program.run("feeds", "set", "night sky", "--title", "  My   sky ")

    #expect(
      steady(set.output, site: site) == "'http://site/photos.xml' is called 'My sky' from now on\n"
    )
    #expect(try library.program.shell("gallery feeds | cut -f 2").output == "My sky\n")
    #expect(
      try library.program.shell("gallery list --feed 'my sky' | cut -f 3").output
        == "My sky\nMy sky\nMy sky\n"
    )
    #expect(
      try library.program.shell("gallery list --search 'my moon' | cut -f 4").output == "Moon\n"
    )
    let synced = try library.program.run("sync", "My sky")
    #expect(synced.output.hasPrefix("unchanged 'My sky'"))
    let back = try library.program.run("feeds", "set", "My sky", "--title", "", "--json")
    #expect(back.output.contains(#""title":"Night sky""#))
    let removed = try library.program.run("remove", "Night sky")
    #expect(removed.output.hasPrefix("removed 'Night sky'"))
  }

  @Test func `a title that several feeds have names none of them, and they are listed`() throws {
    let copy = "\(site.feed)?copy"
    site.set(
      "/photos.xml?copy",
      .init(
        type: "text/xml",
        body: Array(
          "<rss version='2.0'><channel><title>Night sky</title><item><enclosure type='image/jpeg' url='/a.jpg'/></item></channel></rss>"
            .utf8
        )
      )
    )
    try library.program.run("sync", copy, "--metadata-only")

    let result = try library.program.finish(library.program.start(["list", "--feed", "Night sky"]))

    #expect(result.status == 64)
    #expect(
      steady(result.errors, site: site) == """
        'Night sky' is the title of 2 feeds — an id names one: 1 (http://site/photos.xml), \
        2 (http://site/photos.xml?copy)

        """
    )
  }

  @Test func `a feed is one in every spelling, and without its scheme`() throws {
    let port = site.feed.split(separator: ":")[2]
    for spelling in [
      "\(site.feed)#top", "HTTP://127.0.0.1:\(port)",
      "http://127.0.0.1:\(port.replacing("/", with: "/./"))",
      "127.0.0.1:\(port)", "  \(site.feed)\n",
    ] {
      let result = try library.program.run("sync", spelling)
      #expect(result.output.hasPrefix("unchanged 'Night sky'"), "\(spelling)")
    }
    #expect(try library.program.shell("gallery feeds | wc -l").output == "1\n")
  }

  @Test func `a document that comes through a pipe is a feed, and a second one another`() throws {
    let documents = ["a", "b"].map { #"[{"id":"\#($0)","url":"http://127.0.0.1:1/\#($0).jpg"}]"# }
    for (name, document) in zip(["a", "b"], documents) {
      try Data(document.utf8).write(to: URL(filePath: library.folder).appending(path: name))
    }
    let sync = "gallery sync --metadata-only"
    let both = try library.program.shell("cat a | bash -c '\(sync) - <(cat b)'")
    let again = try library.program.shell("\(sync) < /dev/null")
    let named = try library.program.shell("\(sync) stdin:2 < /dev/null")
    let more = try library.program.shell("cat b | \(sync) /dev/stdin")
    let none = try library.program.shell("\(sync) stdin:3 < /dev/null")

    #expect(both.output.split(separator: "\n").count { $0.hasPrefix("updated 'stdin:") } == 2)
    let addresses = try library.program.shell("gallery feeds | cut -f 3 | tail -2 | sort").output
    #expect(addresses == "stdin:\nstdin:2\n")
    #expect(again.status == 0, "\(again.errors)")
    #expect(named.errors.contains("came through a pipe"))
    #expect(more.output.contains("1 image, 1 new"))
    #expect(none.errors.contains("there is no pipe to read it from"))
  }

  @Test func `a name makes the document of a pipe a feed of its own`() throws {
    func sync(_ picture: String, _ options: String) throws -> Program.Result {
      let document = #"[{"id":1,"url":"http://127.0.0.1:1/\#(picture).jpg"}]"#
      return try library.program.shell(
        "echo '\(document)' | gallery sync --metadata-only \(options)"
      )
    }
    _ = try sync("x", "-")
    let other = try sync("y", "-")
    let named = try sync("x", "- --as cats")
    let moved = try sync("z", "/dev/stdin --as ' cats'")
    let file = URL(filePath: library.folder).appending(path: "c")
    try Data(#"[{"id":1,"url":"http://127.0.0.1:1/c.jpg"}]"#.utf8).write(to: file)
    let substituted = try library.program.shell(
      "bash -c 'gallery sync --metadata-only --as https://a.b/c.json <(cat \(file.path))'"
    )
    let feed =
      #"{"version":"https://jsonfeed.org/version/1.1","title":"Tea pots","#
      + #""items":[{"id":"1","image":"http://127.0.0.1:1/d.jpg"}]}"#
    let titled = try library.program.shell(
      "echo '\(feed)' | gallery sync --metadata-only - --as pots"
    )
    let removed = try library.program.run("remove", "cats")

    #expect(other.output.contains("1 image, 1 new"))
    #expect(named.output.hasPrefix("updated 'cats': 1 image, 1 new"))
    #expect(moved.output.hasPrefix("updated 'cats': 1 image, 1 changed"))
    #expect(substituted.output.contains("'https://a.b/c.json'"), "\(substituted.errors)")
    #expect(titled.output.hasPrefix("updated 'Tea pots': 1 image, 1 new"))
    #expect(removed.status == 0, "\(removed.errors)")
    for (arguments, message) in [
      (["-", "--as", "7"], "'7' does not name a document"),
      (["-", "--as", ""], "'' does not name a document"),
      (["1", "--as", "cats"], "--as names one document from a pipe"),
      (["--as", "cats"], "--as names one document from a pipe"),
      (["-", "-", "--as", "cats"], "--as names one document from a pipe"),
    ] {
      let result = try library.program.finish(library.program.start(["sync"] + arguments))
      #expect(result.status == 64)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }

  @Test(arguments: [
    (
      "ftp://host.example/y", 64,
      "cannot sync 'ftp://host.example/y': feeds are read by https or http"
    ),
    (
      "htps://host.example/y", 64,
      "cannot sync 'htps://…': an address begins with https:// or http:// — did you mean 'https://host.example/y'?"
    ),
    (
      "127.0.0.1:1/none.xml", 1,
      "cannot sync '127.0.0.1:1/none.xml': there is no such file, and 'http://127.0.0.1:1/none.xml' does not work: "
    ),
    ("none.xml", 1, "cannot sync 'none.xml': no feed has this title, and as a file: no such file"),
  ])
  func `says what a name may mean where nothing came of it`(
    name: String,
    status: Int32,
    message: String
  ) throws {
    let result = try library.program.finish(library.program.start(["sync", name]))

    #expect(result.status == status)
    #expect(result.errors.hasPrefix(message), "\(result.errors)")
  }

  @Test func `a list as OPML follows the same feeds in another library`() throws {
    let file = #"[{"id":1,"url":"http://127.0.0.1:1/a.jpg","title":"A & <b>"}]"#
    try Data(file.utf8).write(to: URL(filePath: library.folder).appending(path: "a & <b>.json"))
    try library.program.run("sync", "a & <b>.json")
    let list = try library.program.shell("gallery feeds --opml > feeds.opml")

    let synced = try library.program.shell(
      "gallery sync --allow-private --metadata-only --cache other feeds.opml"
    )

    let addresses = "gallery feeds | cut -f 3 && gallery feeds --cache other | cut -f 3"
    let count = "grep -v opml | sort | uniq -c"
    let lines = try library.program.shell("{ \(addresses); } | \(count)").output
    #expect(list == Program.Result(status: 0, output: "", errors: ""))
    #expect(synced.status == 0, "\(synced.errors)")
    #expect(lines.split(separator: "\n").count == 2)
    #expect(lines.split(separator: "\n").allSatisfy { $0.contains(" 2 ") })
  }
}

/// A collection of two books, followed as one feed.
struct ManifestsTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    let members = ["hours", "roland"].map { name in
      #"{"id": "\#(site.address("/\(name).json"))", "type": "Manifest"}"#
    }
    put(
      "books",
      #""type": "Collection", "label": "Books", "items": [\#(members.joined(separator: ","))]"#
    )
    put("hours", Self.manifest("Book of Hours", "Shelf mark", "Ludwig IX 8", address: site.address))
    put("roland", Self.manifest("Roland", "Creator", "Turold", address: site.address))
    try library.program.run("sync", site.address("/books.json"), "--metadata-only")
  }

  private func put(_ name: String, _ members: String) {
    let id = site.address("/\(name).json")
    let context = "http://iiif.io/api/presentation/3/context.json"
    let text = #"{"@context": "\#(context)", "id": "\#(id)", \#(members)}"#
    site.set("/\(name).json", .init(type: "application/json", body: Array(text.utf8)))
  }

  private static func manifest(
    _ label: String,
    _ name: String,
    _ value: String,
    address: (String) -> String
  ) -> String {
    let canvases = ["f. 0r", "f. 0v"].map { folio in
      #"""
      {"type": "Canvas", "id": "\#(label) \#(folio)", "label": "\#(folio)", "items": [{"items": [
      {"body": {"type": "Image", "id": "\#(address("/\(label.count)\(folio.suffix(2)).jpg"))"}}]}]}
      """#
    }
    return #"""
      "type": "Manifest", "label": "\#(label)", "rights": "https://a.b/cc0",
      "requiredStatement": {"label": "By", "value": "The \u001b[31mlibrary"},
      "metadata": [{"label": "\#(name)", "value": "\#(value)"}],
      "items": [\#(canvases.joined(separator: ","))]
      """#
  }

  @Test func `finds a book by its name and what is known of it, and lists it alone`() throws {
    let book = site.address("/hours.json")
    for options in [
      "--search Hours", "--search 'ludwig hours'", "--search 'shelf 0'", "--feed \(book)",
      "--feed 'book of hours'",
    ] {
      let result = try library.program.shell("gallery list --sort feed \(options) | cut -f 4")
      #expect(result.output == "Book of Hours, f. 0r\nBook of Hours, f. 0v\n", "\(options)")
    }
    #expect(try library.program.run("list", "--search", "hours turold").output == "")
    let books = try library.program.run("feeds", "--manifests", "--json")
    #expect(
      steady(books.output, site: site) == """
        {"feed":1,"url":"http://site/hours.json","title":"Book of Hours","images":2}
        {"feed":1,"url":"http://site/roland.json","title":"Roland","images":2}

        """
    )
  }

  @Test func `tells all that the manifest says, and nothing that a terminal obeys`() throws {
    let text = try library.program.run("show", "1", "--info").output
    let json = try library.program.run("show", "1", "--info", "--json").output

    for part in ["Book of Hours", "Shelf mark: Ludwig IX 8", "https://a.b/cc0", "/hours.json"] {
      #expect(text.contains(part))
    }
    #expect(!text.contains("\u{1B}"))
    #expect(
      json.contains(
        #""rights":"https://a.b/cc0","metadata":[{"label":"Shelf mark","value":"Ludwig IX 8"}]"#
      )
    )
  }

  @Test func `a manifest that is followed by itself is told of in the same way`() throws {
    let other = try TestLibrary()
    try other.program.run("sync", site.address("/roland.json"), "--metadata-only")

    let found = try other.program.shell("gallery list --search turold --sort feed | cut -f 4")
    #expect(found.output == "Roland, f. 0r\nRoland, f. 0v\n")
    #expect(try other.program.run("show", "2", "--info").output.contains("Creator: Turold"))
    #expect(try other.program.run("sync").output.hasPrefix("unchanged 'Roland'"))
    #expect(try other.program.shell("gallery list --search turold | wc -l").output == "2\n")
  }
}
