import Foundation
import Models
import TestSupport
import Testing
import Workers

/// Tables of feeds in the settings file: `[feed."https://example.com/photos.xml"]`.
struct FeedTableTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  private var folder: String { "\(library.folder)/.config/gallery" }

  private func write(_ text: String, to name: String = "config.toml", mode: Int = 0o600) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = "\(folder)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func `a sync sets what the table says, also of a new feed`() throws {
    try write("[feed.'\(site.feed)']\ntitle = 'My moons'\nevery = '2d'\n")
    try library.program.run("sync", site.feed, "--metadata-only")
    let new = try library.program.run("feeds", "--json").output
    try library.program.run("feeds", "set", "1", "--title", "Other")
    try write("[feed.1]\ntitle = 'Known'\n")
    try library.program.run("sync", "--metadata-only")

    #expect(new.contains(#""title":"My moons""#))
    #expect(try library.program.run("feeds").output.hasPrefix("1\tKnown\t"))
  }

  @Test func `a title in a table is not what commands read as ids`() throws {
    try write("[feed.'\(site.feed)']\ntitle = '3-5'\n")

    let check = try library.program.run("config", "check")
    let sync = try library.program.run("sync", site.feed, "--metadata-only")

    #expect(check.status != 0 && sync.status != 0)
    #expect((check.output + check.errors).contains("'3-5' cannot be a title"), "\(check)")
    #expect(sync.errors.contains("'3-5' cannot be a title"), "\(sync)")
  }

  @Test func `fetches the originals of the feed whose table asks for them`() throws {
    try write("[feed.'\(site.feed)']\noriginals = true\n")
    let sync = try library.program.run("sync", site.feed)

    #expect(sync.output.contains("3 originals"))
    #expect(try library.program.run("list", "--missing").output == "")
  }

  @Test func `sends fields and cookies to the feed's host, and shows none of them`() throws {
    try write("# for the museum\nAuthorization: Bearer s3cret\n\nX-Key: k3y\n", to: "fields")
    try write(
      "# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tid\tc00kie\n",
      to: "cookies"
    )
    try write("[feed.'\(site.feed)']\nheaders-file = 'fields'\ncookies-file = 'cookies'\n")
    let sync = try library.program.run("sync", site.feed, "--verbose")
    let show = try library.program.run("show", "1", "--verbose")
    let config = try library.program.run("config", "show")
    let check = try library.program.run("config", "check")

    #expect(sync.status == 0)
    #expect(site.server.requests.allSatisfy { $0["Authorization"] == "Bearer s3cret" })
    #expect(site.server.requests.allSatisfy { $0["X-Key"] == "k3y" && $0["Cookie"] == "id=c00kie" })
    for result in [sync, show, config, check] {
      for secret in ["s3cret", "k3y", "c00kie"] {
        #expect(!(result.output + result.errors).contains(secret))
      }
    }
    #expect(config.output.contains("feed.\"\(site.feed)\".headers-file = \"fields\"  # line 2"))
    #expect(check.status == 0)
  }

  @Test func `takes bounds for a feed's host, and for the whole run`() throws {
    try write("[feed.'\(site.feed)']\nlimit-rate = '50M'\nrequests-per-second = 100\n")
    let sync = try library.program.run(
      "sync",
      site.feed,
      "--originals",
      "--limit-rate",
      "20M",
      "--requests-per-second",
      "50"
    )
    try write("[feed.1]\nlimit-rate = '5'\n")
    let low = try library.program.run("sync")
    try write("[feed.1]\nlimit-rate = '5M'\n")
    let unknown = try library.program.run("sync")

    #expect(sync.status == 0)
    #expect(sync.output.contains("3 originals"))
    #expect(low.errors.contains("'5' is less than 1K a second"))
    #expect(unknown.errors.contains("bounds for its host need its address as the table's name"))
  }

  @Test func `trusts the authorities of a feed's table; without their file only the feed fails`()
    throws
  {
    let ways = LoopbackWays(security: try LoopbackSecurity(.ofOtherAuthority))
    let server = try LoopbackServer(ways) { [site] in site.response(to: $0) }
    let feed = try #require(server.address("/photos.xml")).text
    let other = try #require(server.address("/photos.xml?other")).text
    let authority = URL(filePath: LoopbackCertificate.otherAuthorityFile)
    try write(String(decoding: Data(contentsOf: authority), as: UTF8.self), to: "home.pem")
    try write("[feed.'\(feed)']\nextra-ca = 'home.pem'\n")
    let check = try library.program.run("config", "check")
    let sync = try library.program.run("sync", feed, site.feed)
    try FileManager.default.removeItem(atPath: "\(folder)/home.pem")
    let mistake = try library.program.run("config", "check")
    let without = try library.program.run("sync", feed, site.feed)
    let ofOrigin = try library.program.run("sync", other, "--metadata-only")

    #expect(check.status == 0 && sync.status == 0, "\(check), \(sync)")
    #expect(sync.output.matches(of: /3 thumbnails stored/).count == 2, "\(sync)")
    let reason = "the certificates of '\(folder)/home.pem' cannot be used: no such file"
    #expect(mistake.status == 1 && mistake.output.contains(reason), "\(mistake)")
    #expect(without.status == 2 && without.errors.contains(reason), "\(without)")
    #expect(without.output.contains("unchanged 'Night sky'"))
    #expect(ofOrigin.status == 1 && ofOrigin.errors.contains(reason), "\(ofOrigin)")
  }

  @Test(arguments: [
    ("A: b", 0o640, "other users may read it"), ("A b", 0o600, "line 1 is not 'Name: value'"),
    ("\nRange: x", 0o600, "line 2 has a field that gallery sets itself"),
    ("Cookie: x", 0o600, "'cookies-file' is for cookies"),
    ("A: s3cret\u{1}", 0o600, "line 1 is not 'Name: value'"),
  ])
  func `refuses a file of fields, and shows none of it`(
    text: String,
    mode: Int,
    message: String
  ) throws {
    try write(text, to: "fields", mode: mode)
    try write("[feed.'\(site.feed)']\nheaders-file = 'fields'\n")
    let sync = try library.program.run("sync", site.feed)
    let check = try library.program.run("config", "check")

    #expect(sync.status == 64)
    #expect(sync.errors.contains("cannot use '\(folder)/fields': "))
    #expect(sync.errors.contains(message))
    #expect(!sync.errors.contains("s3cret"))
    #expect(site.targets == [])
    #expect(check.status == 1)
    #expect(check.output.contains("config.toml:1: cannot use '\(folder)/fields': "))
    #expect(try library.program.run("feeds").status == 0)
  }

  @Test(arguments: [
    ("[feed.1]\ntitel = 'x'\n", "line 2: a feed has no setting 'titel'; did you mean 'title'?"),
    ("[feed.1]\noriginals = 'yes'\n", "line 2: 'originals' takes true or false"),
    ("[feed]\ntitle = 'x'\n", "line 2: a feed has a table: [feed.\"title\"]"),
    ("[feed.1]\njson = true\n", "line 2: a feed has no setting 'json'"),
  ])
  func `names a mistake in a table`(text: String, message: String) throws {
    try write(text)
    let result = try library.program.run("list")

    #expect(result.status == 64)
    #expect(result.errors.contains(message))
  }

  @Test func `a table with a mistyped address stops a sync, and names the right one`() throws {
    try write("[feed.'htps://a.example/b']\noriginals = true\n")
    let sync = try library.program.run("sync", site.feed)
    let check = try library.program.run("config", "check")

    let message = "feed 'htps://…': did you mean 'https://a.example/b'?"
    #expect(sync.status == 64 && sync.errors.contains(message), "\(sync)")
    #expect(check.status == 1 && check.output.contains(message), "\(check)")
  }

  @Test func `a value that the setting does not take stops a sync`() throws {
    try write("[feed.'\(site.feed)']\nevery = 'often'\n")
    let sync = try library.program.run("sync", site.feed)
    let check = try library.program.run("config", "check")

    #expect(sync.status == 64)
    #expect(sync.errors.contains("'often' is not a time from 1m to 30d"))
    #expect(check.output.contains("config.toml:1: "))
    #expect(check.output.contains("'often' is not a time from 1m to 30d"))
  }
}
