import FoundationEssentials
import TestSupport
import Testing

struct ListCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  @Test func `before any sync prints nothing, hints, and makes nothing`() throws {
    let result = try library.program.run("list")

    #expect(
      result
        == Program.Result(
          status: 0,
          output: "",
          errors: "nothing is stored at '\(library.path)' yet — 'gallery sync <feed-url>' begins\n"
        )
    )
    #expect(try library.program.shell("ls -A").output == "")
  }

  @Test func `suggests commands for the library that was typed, and only then`() throws {
    let result = try library.program.shell(
      """
      gallery --cache 'my pictures' list; gallery list --cache=other
      gallery --cache other feeds set 7 --every 1h; gallery --cache other token remove tv
      GALLERY_CACHE=third gallery list
      printf 'cache = "fourth"\\n' >settings.toml
      GALLERY_CONFIG=settings.toml env -u GALLERY_CACHE gallery list
      """
    )

    let ends = result.errors.split(separator: "\n").map {
      $0.components(separatedBy: "yet — ").last
    }
    #expect(
      ends == [
        "\"gallery --cache 'my pictures' sync <feed-url>\" begins",
        "'gallery --cache other sync <feed-url>' begins",
        "'gallery --cache other sync <feed-url>' begins",
        "Error: there is no token 'tv'; 'gallery --cache other token list' lists them",
        "'gallery sync <feed-url>' begins", "'gallery sync <feed-url>' begins",
      ],
      "\(result)"
    )
  }

  @Test func `prints a line an image, harmless and separated by tabs`() throws {
    try library.program.run("sync", site.feed)
    try library.program.run("show", "2")
    site.server.stop()
    let result = try library.program.run("list")

    #expect(
      result.output == """
        1\t2026-11-02T08:00:00Z\tNight sky\tMoon\t
        2\t2026-11-01T08:00:00Z\tNight sky\tSun\toriginal
        3\t2026-10-31T08:00:00Z\tNight sky\tStars & \u{FFFD}[31mred\t

        """
    )
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test func `prints records without the address of the original`() throws {
    try library.program.run("sync", site.feed)
    let result = try library.program.run("list", "--json", "--search", "ETANG ori")

    #expect(
      steady(result.output, site: site).replacing(/[0-9a-f]{64}/, with: "HASH") == """
        {"id":3,"title":"Stars & \\u202e[31mred","caption":"Orion over the étang","author":null,\
        "published":"2026-10-31T08:00:00Z","feed":{"id":1,"title":"Night sky"},\
        "thumbnail":{"url":"http://site/stars-small.jpg","stored":true,"bytes":415,\
        "type":"image/jpeg","width":320,"height":80,"sha256":"HASH","damaged":false},\
        "originalStored":false,"originalDamaged":false,"gone":false,"failures":[],\
        "pageURL":null,"licence":null,"pinned":false,\
        "original":{"type":null,"bytes":null,"sha256":null,"file":null,"width":null,"height":null},\
        "camera":null,"taken":null,"feedURL":"http://site/photos.xml"}

        """
    )
  }

  @Test func `records and patterns have the stored original, the pin and the page`() throws {
    let json = """
      [{"id":1,"url":"/moon.jpg","page":"/moon.html","license":"CC0","title":"Moon"},{"id":2,"url":"/sun.jpg"}]
      """
    site.set("/list.json", .init(type: "application/json", body: Array(json.utf8)))
    try library.program.run("sync", site.address("/list.json"))
    try library.program.run("show", "1")
    try library.program.run("pin", "2")
    let records = try library.program.run("list", "--json", "--sort", "feed").output
    let shown = try library.program.run("show", "1", "--info", "--json").output
    let lines = try library.program.shell(
      """
      gallery list --sort feed --format '{id} {pinned} {licence} {original.type}'
      gallery list --stored --format '{original.sha256}  {original.file}\\0' >sums
      tr '\\0' '\\n' <sums | sha256sum -c --quiet && echo right
      gallery list --format '{id}\\0' --sort feed | xargs -0 gallery show --info | grep -c ^id
      gallery list -n2 --format '{id}\\0' | wc -l
      gallery list --sort feed --format '{original.width}x{original.height} {original.bytes} {feedURL}'
      """
    )

    let hash = #/"sha256":"([0-9a-f]{64})","bytes":(\d+),"type":"image/jpeg"/#
    let stored = try #require(shown.firstMatch(of: hash))
    #expect(
      records.contains(
        #""pinned":false,"original":{"type":"image/jpeg","bytes":\#(stored.2),"sha256":"\#(stored.1)","file":"\#(library.path)/originals/"#
      ),
      "\(records)"
    )
    #expect(
      records.contains(
        #""pinned":true,"original":{"type":null,"bytes":null,"sha256":null,"file":null,"width":null,"height":null}"#
      ),
      "\(records)"
    )
    #expect(lines.output.hasPrefix("1 false "), "\(lines)")
    let pixels = #/"width":(\d+),"height":(\d+),"stale"/#
    let size = try #require(shown.firstMatch(of: pixels))
    let address = site.address("/list.json")
    let last = "\(size.1)x\(size.2) \(stored.2) \(address)\nx  \(address)\n"
    #expect(lines.output.hasSuffix("\n2 true  \nright\n2\n0\n\(last)"), "\(lines)")
  }

  @Test func `patterns have the camera of a stored original, and when it was taken`() throws {
    let exif = Array("Exif\0\0".utf8) + EXIFSample.tower().bytes
    let (high, low) = (exif.count + 2).quotientAndRemainder(dividingBy: 256)
    let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, UInt8(high), UInt8(low)]
    let picture = start + exif + TestPicture.jpeg(width: 64, height: 48).dropFirst(2)
    let json = #"[{"id":1,"url":"/tower.jpg"},{"id":2,"url":"/away.jpg"}]"#
    site.set("/list.json", .init(type: "application/json", body: Array(json.utf8)))
    site.set("/tower.jpg", .init(type: "image/jpeg", body: picture))

    let result = try library.program.shell(
      """
      gallery sync --quiet '\(site.address("/list.json"))'; gallery show 1 >/dev/null; gallery show 1 --info >/dev/null
      gallery list --sort feed --format '{id}|{camera}|{taken}'
      """
    )

    #expect(
      result.output == "1|FUJIFILM X100V|2019-07-14T18:02:33+02:00\n2||\n",
      "\(result)"
    )
  }

  @Test(
    arguments: [
      ([], 0), (["--fail-empty"], 0), (["--search", "nothing"], 0),
      (["--search", "nothing", "--fail-empty"], 1),
      (["--search", "nothing", "--fail-empty", "--json"], 1),
      (["--fail-empty", "--format", "{id}", "--stored"], 1), (["--fail-empty", "--limit", "0"], 1),
    ] as [([String], Int32)]
  )
  func `ends with status 1 without an image if asked to`(options: [String], status: Int32) throws {
    let program = library.program
    try program.run("sync", "--metadata-only", site.feed)
    #expect(try program.finish(program.start(["list"] + options)).status == status)
    let none = Program(library: library.path + "/none", workingFolder: library.folder)
    #expect(try none.run("list", "--fail-empty").status == 1)
  }

  @Test(arguments: [
    (["--sort", "oldest"], ["3", "2", "1"]), (["--sort", "title"], ["1", "3", "2"]),
    (["--sort", "added"], ["1", "2", "3"]), (["--sort", "taken"], ["1", "2", "3"]),
    (["--sort", "feed"], ["1", "2", "3"]),
    (["--limit", "1"], ["1"]), (["--limit", "1", "--offset", "1"], ["2"]),
    (["--search", "\"moon\" OR"], []), (["--search", "night mo"], ["1"]),
    (["--feed", "1"], ["1", "2", "3"]), (["--since", "2026-11-01T08:00Z"], ["1", "2"]),
    (["--since", "2026-11-01T08:00:01Z", "--sort", "oldest"], ["1"]),
    (["--search", "sun", "--sort", "random"], ["2"]), (["--stored"], ["2"]),
    (["--missing", "--sort", "title"], ["1", "3"]), (["--landscape", "-n", "1"], ["1"]),
    (["--portrait"], []), (["--added-since", "1h", "-f", "1", "--sort", "feed"], ["1", "2", "3"]),
    (["--added-since", "2100-01-01"], []), (["--search", "-moon"], ["1"]), (["--limit", "0"], []),
  ])
  func `orders, filters and pages`(options: [String], ids: [String]) throws {
    try library.program.run("sync", site.feed)
    try library.program.run("show", "2")
    let line = "gallery list " + options.map { "'\($0)'" }.joined(separator: " ") + " | cut -f 1"
    let result = try library.program.shell(line)

    #expect(result.output.split(separator: "\n").map(String.init) == ids)
  }

  @Test(arguments: ["---", "\u{1F3A8}"], [[], ["--json"]])
  func `finds nothing by a search for nothing, and says so`(
    search: String,
    options: [String]
  ) throws {
    try library.program.run("sync", site.feed)
    let arguments = ["list", "--search=\(search)"] + options
    let result = try library.program.finish(library.program.start(arguments))

    #expect(
      result
        == Program.Result(
          status: 0,
          output: "",
          errors: "no image matches: the search has no letter and no digit\n"
        )
    )
  }

  @Test func `prints what a format asks for, harmless, and all of it`() throws {
    try library.program.run("sync", site.feed)
    let format = #"{{{id}}}\t{title}|{feed.title}|{author}|{thumbnail.width}|{originalStored}"#
    let result = try library.program.run("list", "--format", format)

    #expect(
      result.output == """
        {1}\tMoon|Night sky||320|false
        {2}\tSun|Night sky||320|false
        {3}\tStars & \u{FFFD}[31mred|Night sky||320|false

        """
    )
  }

  @Test func `says nothing when nothing was asked for`() throws {
    try library.program.run("sync", site.feed)

    for limit in ["0", "2"] {
      #expect(try library.program.run("list", "-n", limit).errors == "")
    }
  }

  @Test func `takes the options that all commands have before the command, too`() throws {
    try library.program.run("sync", site.feed)

    let named = try library.program.run("list", "--json", "--limit", "1")
    let before = try library.program.run(
      "--quiet",
      "--cache",
      library.path,
      "--json",
      "list",
      "--limit",
      "1"
    )
    #expect(before.output == named.output)
    #expect(before.status == 0)
  }

  @Test func `lists in another order each time, each image once`() throws {
    try library.program.run("sync", site.feed)

    var orders: Set<String> = []
    while orders.count < 6 {
      let result = try library.program.shell("gallery list --sort random | cut -f 1 | xargs")
      orders.insert(result.output)
    }

    #expect(orders == ["1 2 3\n", "1 3 2\n", "2 1 3\n", "2 3 1\n", "3 1 2\n", "3 2 1\n"])
  }

  @Test func `ends quietly when no program reads on`() throws {
    try library.program.run("sync", site.feed)
    let result = try library.program.shell("gallery list | true")

    #expect(result == Program.Result(status: 0, output: "", errors: ""))
  }

  @Test func `says that its output could not be written`() throws {
    try library.program.run("sync", site.feed)
    let result = try library.program.shell("gallery list > /dev/full")

    #expect(result.status == 1)
    #expect(
      result.errors == "cannot write 'standard output': no space left on device\n"
    )
  }

  @Test func `names a feed that is not followed`() throws {
    try library.program.run("sync", site.feed)
    let result = try library.program.run("list", "--feed", "http://elsewhere.example/")

    #expect(result.status == 3)
    #expect(
      result.errors == """
        no feed 'http://elsewhere.example/' is followed — 'gallery feeds' lists the ones that are

        """
    )
  }
}
