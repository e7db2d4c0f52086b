import Models
import TestSupport
import Testing
import Workers

struct FeedArgumentTests {
  @Test(arguments: ["http://:secret@example.com/a.xml", "https://:a:b@example.com:8470/"])
  func `a password without a name is no mistake`(text: String) throws {
    let argument = FeedArgument(text, relativeTo: "/home/ann") { _ in false }

    #expect(argument == .address(try #require(WebAddress(text))))
  }

  @Test(arguments: [
    ("7", FeedArgument.id(7)),
    ("007", .id(7)),
    (" 7\n", .id(7)),
    ("0", .id(0)),
    ("ftp://example.org/feed", .unusable(.at("ftp://example.org/feed"))),
    ("gopher://example.org/feed", .unusable(.at("gopher://example.org/feed"))),
    ("https://example.org/feed", .address(.at("https://example.org/feed"))),
    ("\t https://example.org/feed ", .address(.at("https://example.org/feed"))),
    ("HTTP://Example.org", .address(.at("HTTP://Example.org"))),
    ("https://example.org/a?b=c#d", .address(.at("https://example.org/a?b=c#d"))),
    ("file:///srv/feed.xml", .address(.at("file:///srv/feed.xml"))),
    ("feed://example.org/a.xml", .address(.at("http://example.org/a.xml"))),
    ("feed:https://example.org/a.xml", .address(.at("https://example.org/a.xml"))),
    ("FEED:example.org/a.xml", .address(.at("http://example.org/a.xml"))),
    ("itpc://example.org/a.xml", .address(.at("http://example.org/a.xml"))),
    ("<https://example.org/a>", .address(.at("https://example.org/a"))),
    ("<URL:https://example.org/a>", .address(.at("https://example.org/a"))),
    ("\"https://example.org/a\"", .address(.at("https://example.org/a"))),
    ("[My moon](https://example.org/a)", .address(.at("https://example.org/a"))),
    ("![](https://example.org/a_(b) \"Moon\")", .address(.at("https://example.org/a_(b)"))),
    ("[a](<feed://example.org/a>)", .address(.at("http://example.org/a"))),
    ("[![a](http://a.b/a.svg)](https://example.org/a)", .address(.at("https://example.org/a"))),
    ("[x](http://b.c/my p/bob's a.json)", .address(.at("http://b.c/my%20p/bob's%20a.json"))),
    ("https://example.org/a,", .address(.at("https://example.org/a"))),
    ("https://example.org/a).", .address(.at("https://example.org/a"))),
    ("<https://example.org/a>,", .address(.at("https://example.org/a"))),
    ("<https://example.org/?a=1,>;", .address(.at("https://example.org/?a=1,"))),
    ("(https://example.org/a)", .address(.at("https://example.org/a"))),
    ("(https://example.org/a_(b)).", .address(.at("https://example.org/a_(b)"))),
    ("(\"https://example.org/a\"),", .address(.at("https://example.org/a"))),
    ("url=https://example.org/a", .address(.at("https://example.org/a"))),
    ("href=\"https://example.org/a?b=c\",", .address(.at("https://example.org/a?b=c"))),
    ("URL: https://example.org/a", .address(.at("https://example.org/a"))),
    ("'https://example.org/a,'", .address(.at("https://example.org/a"))),
    ("https://example.org/url=https://b.c", .address(.at("https://example.org/url=https://b.c"))),
    ("https://example.org/a_(b)", .address(.at("https://example.org/a_(b)"))),
    ("https://example.org/a.", .address(.at("https://example.org/a."))),
    ("https://example.org/?a=1,", .address(.at("https://example.org/?a=1,"))),
    ("„feed://example.org/a“", .address(.at("http://example.org/a"))),
    ("https://example.org/año.xml", .address(.at("https://example.org/a%C3%B1o.xml"))),
    ("https://exämple.org/a b", .address(.at("https://exämple.org/a%20b"))),
    ("smb://nas/photos/feed.xml", .unusable(.at("smb://nas/photos/feed.xml"))),
    ("\\\\nas\\photos\\feed.xml", .unusable(.at("smb://nas/photos/feed.xml"))),
    ("//nas/photos/feed.xml", .unusable(.at("smb://nas/photos/feed.xml"))),
    ("file://nas/photos/feed.xml", .unusable(.at("file://nas/photos/feed.xml"))),
    ("-", .pipe(.at("stdin:"))),
    ("stdin:2", .address(.at("stdin:2"))),
  ])
  func `tells ids, addresses, pipes, and what cannot be synced`(
    _ text: String,
    _ argument: FeedArgument
  ) {
    #expect(FeedArgument.named(text) == argument)
  }

  @Test(arguments: [
    ("htps://example.org/feed", "https://example.org/feed"),
    ("htp://example.org/feed", "http://example.org/feed"),
    ("HTTSP://example.org/a b", "https://example.org/a%20b"),
    ("hxxp://example.org", "http://example.org"),
    ("http:/example.org/feed", "http://example.org/feed"),
    ("http:/nas/feed", "http://nas/feed"),
    ("https:///example.org/feed", "https://example.org/feed"),
    ("https//example.org/feed", "https://example.org/feed"),
    ("https:://example.org:8080", "https://example.org:8080"),
    ("http;//example.org", "http://example.org"),
    ("http:\\\\example.org\\feed", "http://example.org/feed"),
    ("http:example.org/feed", "http://example.org/feed"),
    ("http://https://example.org/feed", "https://example.org/feed"),
    ("https://http//example.org/feed", "http://example.org/feed"),
    ("<htps://example.org/feed>", "https://example.org/feed"),
    ("[My moon](htps://example.org/feed)", "https://example.org/feed"),
  ])
  func `tells which address a mistyped one means`(_ text: String, _ meant: String) throws {
    guard case .mistyped(let address) = FeedArgument.named(text) else {
      throw UnexpectedArgument()
    }

    #expect(address.meant == WebAddress(meant)?.escaped)
  }

  @Test(arguments: [
    "http/feed.xml", "https", "http:", "https://", "HTTP: the server", "https: example.org is down",
    "http:8080", "http://https:8080/feed", "http://http.example.org/feed",
    "https://example.org/http://b.c/", "tftp://example.org/feed", "sftp://example.org/feed",
    "ftp://example.org", "hats/feed.xml", "ttp",
  ])
  func `takes for no mistyped address`(_ text: String) {
    if case .mistyped = FeedArgument.named(text) { Issue.record("\(text)") }
  }

  @Test func `reads an address of very many schemes`() {
    let text = String(repeating: "http://", count: 100_000) + "example.org"

    if case .mistyped(let address) = FeedArgument.named(text) { #expect(address.meant.isWeb) }
  }

  @Test func `takes a file that is there for no mistyped address`() throws {
    let argument = FeedArgument("https//a.xml", relativeTo: "/home/ann") { path in
      path == "/home/ann/https//a.xml"
    }
    guard case .name(let name) = argument else { throw UnexpectedArgument() }

    #expect(name.isThere)
  }

  @Test(arguments: [
    ("feed.xml", "file:///home/ann/feed.xml"),
    ("photos/my feed.xml", "file:///home/ann/photos/my%20feed.xml"),
    ("/srv/feed.xml", "file:///srv/feed.xml"),
    ("./7", "file:///home/ann/7"),
    ("-7", "file:///home/ann/-7"),
    ("set:1/feed.xml", "file:///home/ann/set:1/feed.xml"),
    ("99999999999999999999", "file:///home/ann/99999999999999999999"),
  ])
  func `takes for a path, and for nothing on the web`(_ text: String, _ file: String) throws {
    let name = try #require(self.name(text))

    #expect(name.file == .at(file))
    #expect(name.web == nil)
  }

  @Test(arguments: [
    ("example.com/photos.xml", "https://example.com/photos.xml"),
    (" example.com\t", "https://example.com"),
    ("www.example.com:8443/a b?c#d", "https://www.example.com:8443/a%20b?c#d"),
    ("example.com:80/?u=http://b.c/", "https://example.com:80/?u=http://b.c/"),
    ("bücher.example/feed", "https://bücher.example/feed"),
    ("photos.xml:8080", "https://photos.xml:8080"),
    ("photos.xml/feed", "https://photos.xml/feed"),
    ("9.9.9.9/feed", "https://9.9.9.9/feed"),
    ("[2001:db8::1]/feed", "https://[2001:db8::1]/feed"),
    ("localhost", "http://localhost"),
    ("LocalHost:8080/photos.xml", "http://LocalHost:8080/photos.xml"),
    ("127.0.0.1:8080/photos.xml", "http://127.0.0.1:8080/photos.xml"),
    ("192.168.1.2/a", "http://192.168.1.2/a"), ("10.1.2.3/a", "http://10.1.2.3/a"),
    ("172.31.0.1/a", "http://172.31.0.1/a"), ("172.32.0.1/a", "https://172.32.0.1/a"),
    ("[::1]:8080/a", "http://[::1]:8080/a"), ("[fd00::2]", "http://[fd00::2]"),
  ])
  func `takes what begins as a host does for an address`(_ text: String, _ web: String) throws {
    #expect(try #require(self.name(text)).web == .at(web))
  }

  @Test(arguments: [
    "photos.xml", "feeds.OPML", "./example.com", "../example.com", ".hidden/feed", "photos/a.b",
    "example.com:photos", "example.com:0", "example.com:99999", "a..b/c", "1.2.3/feed", "a b.c/d",
    "[1.2.3.4]/a", "[]/a", "~/a.b", "", "NASA",
  ])
  func `takes for no host`(_ text: String) throws {
    #expect(try #require(self.name(text)).web == nil)
  }

  @Test(arguments: [
    "<example.com/a>", "'example.com/a'", "“ example.com/a ”", "(example.com/a)",
    "<example.com/a>,",
  ])
  func `takes a host in quotes for an address`(_ text: String) throws {
    #expect(try #require(self.name(text)).web == .at("https://example.com/a"))
  }

  @Test(arguments: [
    "\"Best of\"", "<Stars>", "feed:", "''", "[Moon]", "[Moon](phases)", "[a](b", "(Moon)", "a=b",
    "url=moon",
    "Moon, (sun)", "\"Moon\",",
  ])
  func `keeps the quotes of a title`(_ text: String) throws {
    #expect(try #require(self.name(text)).text == text)
  }

  @Test(
    arguments: [
      ("1-3", [1, 3]), ("3-9", [3, 7]), ("2024-2025", [7]), ("4-6", []), ("3-1", []), ("moon", []),
      ("1", [1]),
    ] as [(String, [Int64])]
  )
  func `a range of ids stands for its followed feeds, unless it is a title`(
    _ text: String,
    _ ids: [Int64]
  ) {
    let feeds = [
      Feed(id: 1, address: .at("https://a.example/")),
      Feed(id: 3, address: .at("https://b.example/")),
      Feed(id: 7, address: .at("https://c.example/"), title: "2024-2025"),
    ]
    let argument = FeedArgument.named(text)

    let arguments = argument.spread(among: feeds)
    #expect(arguments.flatMap { $0.meant(of: feeds) }.map(\.id) == ids)
    if ids.isEmpty { #expect(arguments == [argument]) }
  }

  @Test func `the name of a file is no range of ids`() {
    let argument = FeedArgument("1-3", relativeTo: "/home/ann") { _ in true }

    #expect(argument.idsOfRange == nil)
  }

  @Test func `finds a feed by either spelling of a letter beyond ASCII`() throws {
    for stored in ["https://example.org/año.xml", "https://example.org/a%C3%B1o.xml"] {
      var feed = Feed.astronomy
      feed.address = .at(stored)
      for typed in ["https://example.org/año.xml", "http://example.org/a%C3%B1o.xml"] {
        #expect(FeedArgument.named(typed).meant(of: [feed]).count == 1)
      }
    }
  }

  @Test func `takes a file that is there for no host`() throws {
    let argument = FeedArgument("example.com/a.xml", relativeTo: "/home/ann") { path in
      path == "/home/ann/example.com/a.xml"
    }
    guard case .name(let name) = argument else { throw UnexpectedArgument() }

    #expect(name.isThere)
    #expect(name.web == nil)
  }

  @Test(arguments: [
    "scans", "scans/", "./scans", "/home/ann/scans", "file:///home/ann/scans",
    "file:///home/ann/scans/",
  ])
  func `names a folder with a slash at its end`(_ text: String) throws {
    let argument = FeedArgument(
      text,
      relativeTo: "/home/ann",
      isFolder: { $0 == "/home/ann/scans" || $0 == "/home/ann/scans/" },
      fileExists: { _ in true }
    )

    let address: WebAddress
    switch argument {
    case .address(let found): address = found
    case .name(let name): address = name.file
    default: throw UnexpectedArgument()
    }
    #expect(address.text == "file:///home/ann/scans/")
    #expect(address.isFolder)
  }

  @Test(arguments: ["scans", "scans/", "file:///home/ann/scans"])
  func `means the feed of a folder that is missing now`(_ text: String) {
    var feed = Feed.astronomy
    feed.address = .at("file:///home/ann/scans/")

    let argument = FeedArgument(text, relativeTo: "/home/ann") { _ in false }

    #expect(argument.meant(of: [feed]).count == 1)
  }

  @Test(arguments: [
    ("7", [7]), ("8", [8]), ("9", []), ("https://example.org/a.xml", [7]),
    ("HTTP://EXAMPLE.org:80/./a.xml#top", [7]), ("https://example.org/former", [7]),
    ("example.org/a.xml", [7]), ("b.xml", [8]), ("./b.xml", [8]), ("Moon", [7]), ("moon", [7]),
    ("sun", [8, 10]), ("\"Sun\"", [10]), ("„moon“", [7]), ("Stars", []), ("2026", [11]),
    ("Elan", [12]),
    ("ÉLAN", [12]), ("https://example.org/other", []),
    ("ftp://example.org/a.xml", []),
  ])
  func `means the feeds with its id, an address of theirs, or their title`(
    _ text: String,
    _ ids: [Int64]
  ) {
    let feeds = [
      Feed(
        id: 7,
        address: .at("https://example.org/a.xml"),
        aliases: [.at("https://example.org/former")],
        title: "Stars",
        givenTitle: "Moon"
      ),
      Feed(id: 8, address: .at("file:///home/ann/b.xml"), title: "SUN"),
      Feed(id: 10, address: .at("https://example.org/c.xml"), title: "Sun"),
      Feed(id: 11, address: .at("https://example.org/d.xml"), title: "2026"),
      Feed(id: 12, address: .at("https://example.org/e.xml"), title: "Élan"),
    ]

    #expect(FeedArgument.named(text).meant(of: feeds).map(\.id) == ids)
  }

  @Test func `prefers a title to the letter`() {
    let feeds = [
      Feed(id: 1, address: .at("https://example.org/a"), title: "sun"),
      Feed(id: 2, address: .at("https://example.org/b"), title: "Sun"),
    ]

    #expect(FeedArgument.named("Sun").meant(of: feeds).map(\.id) == [2])
  }

  @Test(arguments: [
    ("scans", [1, 2]), ("Scans", [2]), ("scans/", [1]), ("./scans", [1]), ("../ann/scans", [1]),
    ("/home/ann/scans", [1]), ("b.xml", [3, 4]), ("file:///home/ann/b.xml", [3]),
    ("stars.example/a", [6]), ("Moon", [7]), ("trip", [8]),
  ])
  func `a word that is the path of one feed and the title of another means both`(
    _ text: String,
    _ ids: [Int64]
  ) {
    let feeds = [
      Feed(id: 1, address: .at("file:///home/ann/scans/"), title: "My scans"),
      Feed(id: 2, address: .at("https://example.org/a"), title: "Scans"),
      Feed(id: 3, address: .at("file:///home/ann/b.xml")),
      Feed(id: 4, address: .at("https://example.org/b"), title: "b.xml"),
      Feed(id: 5, address: .at("https://stars.example/a")),
      Feed(id: 6, address: .at("https://example.org/c"), title: "stars.example/a"),
      Feed(id: 7, address: .at("https://example.org/d"), title: "Moon"),
      Feed(id: 8, address: .at("file:///home/ann/trip/"), title: "trip"),
      Feed(id: 9, address: .at("file:///mnt/trip/"), title: "trip"),
    ]
    let argument = FeedArgument(text, relativeTo: "/home/ann") { _ in true }

    #expect(argument.meant(of: feeds).map(\.id) == ids)
  }

  private func name(_ text: String) -> FeedName? {
    if case .name(let name) = FeedArgument.named(text) { name } else { nil }
  }

  private struct UnexpectedArgument: Error {}
}
