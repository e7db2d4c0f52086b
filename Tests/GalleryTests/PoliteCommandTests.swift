import Foundation
import Models
import TestSupport
import Testing
import Workers

/// The whole program with servers that ask for a pause, and with secrets.
struct PoliteCommandTests {
  let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test func `waits as long as a server asks, loses nothing and exits 0`() throws {
    let site = try PausingSite(pause: 1, after: 2)
    let result = try library.program.run("sync", site.feed, "--jobs", "1")

    #expect(result.output.contains("3 thumbnails stored"))
    #expect(result.errors == "")
    #expect(result.status == 0)
    #expect(try site.gapAfterPause() >= .seconds(1))
  }

  @Test func `obeys a pause that another run was asked for`() throws {
    let site = try PausingSite(pause: 1, after: 0)
    let program = library.program
    let first = try program.start(["sync", site.feed, "--jobs", "1", "--verbose"])
    first.waitForError("is not asked for")
    let second = try program.run("sync", site.feed + "?second")
    let firstResult = try program.finish(first)

    #expect(firstResult.status == 0)
    #expect(second.status == 0)
    #expect(try site.gapAfterPause() >= .seconds(1))
  }

  @Test func `does not wait for a long pause, and a later run asks nothing before its end`() throws
  {
    let site = try PausingSite(pause: 3600, after: 0)
    let program = library.program
    let first = try program.run("sync", site.feed)
    let second = try program.run("sync", site.feed)

    #expect(first.status == 1)
    #expect(second.status == 1)
    #expect(second.errors.contains("the server asks to wait until "))
    #expect(site.server.arrivals.count == 1)
  }

  @Test(arguments: ["503.xml", "429.xml", "dated.xml"])
  func `a pause that one address caused is told, and a forced feed that is named ends it`(
    name: String
  ) throws {
    let site = try PhotoSite()
    let date = "Fri, 01 Jan 2100 00:00:00 GMT"
    let server = try LoopbackServer { request in
      switch request.target {
      case "/503.xml": .whole(status: 503, fields: ["Retry-After: 3600"])
      case "/429.xml": .whole(status: 429, fields: ["Retry-After: 3600"])
      case "/dated.xml": .whole(status: 503, fields: ["Retry-After: \(date)"])
      default: site.response(to: request)
      }
    }
    let (program, host) = (library.program, "127.0.0.1:\(server.port)")
    let (bad, good) = ("http://\(host)/\(name)", "http://\(host)/photos.xml")
    try program.run("sync", good, "--metadata-only")
    try program.run("sync", bad)
    let refused = try program.run("sync", good)
    let (status, record) = (try program.run("status"), try program.run("status", "--json"))
    let (feeds, why) = (try program.run("feeds", "--json"), try program.run("why", "1"))
    let asked = server.requests.count
    let every = try program.run("sync", "--force")
    #expect(server.requests.count == asked)
    let forced = try program.run("sync", good, "--force")

    #expect(refused.errors.contains("; 'gallery sync <feed> --force' asks once all the same"))
    let line = status.output.split(separator: "\n").first { $0.hasPrefix("paused hosts") }
    #expect(line?.contains(" \(host) until 2") == true, "\(status.output)")
    #expect(record.output.contains(#""pausedHosts":[{"host":"\#(host)","until":"2"#))
    #expect(feeds.output.contains(#""pausedUntil":"2"#))
    #expect(why.output.contains("\(host) until 2"), "\(why.output)")
    #expect(every.status != 0)
    #expect(forced.status == 0)
    #expect(forced.output.contains("3 thumbnails stored"))
  }

  @Test func `logs each retry and pause, without secrets`() throws {
    let site = try PausingSite(pause: 1, after: 0)
    let address = "http://moon:hidden@127.0.0.1:\(site.server.port)/photos.xml?api_key=hidden"
    let result = try library.program.run("sync", address, "--verbose", "--jobs", "1")

    // A part of the second may be over by then.
    #expect(result.errors.contains(/is not asked for (?:1\.0|0\.\d) s/))
    #expect(result.errors.contains("again in"))
    #expect(!result.errors.contains("hidden"))
    #expect(!result.output.contains("hidden"))
  }

  @Test func `sends the login of the user's netrc file`() throws {
    let site = try PhotoSite()
    try FileManager.default.createDirectory(atPath: library.path, withIntermediateDirectories: true)
    // The library's folder is the home folder in tests.
    try Data("machine 127.0.0.1 login moon password secret".utf8)
      .write(to: URL(filePath: "\(library.path)/.netrc"))
    try library.program.run("sync", site.feed, "--metadata-only")

    #expect(site.server.requests.map { $0["Authorization"] } == ["Basic bW9vbjpzZWNyZXQ="])
  }

  @Test(arguments: [
    ["sync", "FEED", "--cacert"], ["show", "1", "--cacert"], ["sync", "FEED", "--extra-ca"],
    ["show", "1", "--extra-ca"], ["verify", "--repair", "--extra-ca"], ["serve", "--extra-ca"],
  ])
  func `refuses a file of certificates that is none, before anything is asked`(
    command: [String]
  ) throws {
    let site = try PhotoSite()
    let words = command.map { $0 == "FEED" ? site.feed : $0 }
    try Data("no certificate".utf8).write(to: URL(filePath: "\(library.folder)/bad.pem"))
    let missing = try library.program.finish(library.program.start(words + ["missing.pem"]))
    let bad = try library.program.finish(library.program.start(words + ["bad.pem"]))

    let start = "Error: cannot use the certificates of"
    #expect(missing.errors.hasPrefix("\(start) 'missing.pem': no such file or directory — "))
    #expect(bad.errors.hasPrefix("\(start) 'bad.pem': it holds no certificate in PEM — "))
    #expect(missing.status == 64)
    #expect(bad.status == 64)
    #expect(site.targets == [])
  }

  @Test func `trusts the authorities that the option, the environment or the settings name`()
    throws
  {
    let site = try PhotoSite()
    let ways = LoopbackWays(security: try LoopbackSecurity(.ofOtherAuthority))
    let server = try LoopbackServer(ways) { site.response(to: $0) }
    let feed = try #require(server.address("/photos.xml")).text
    let authority = LoopbackCertificate.otherAuthorityFile
    let refused = try library.program.run("sync", feed)
    let sync = try library.program.run("sync", feed, "--extra-ca", authority)
    let again = try library.program.run("sync", feed, "--extra-ca", authority)
    let untrusted = try library.program.run("show", "1")
    let show = try library.program.shell(
      "GALLERY_EXTRA_CA='\(authority)' gallery show 1 --output 1.jpg"
    )
    try Data("extra-ca = '\(authority)'\n".utf8)
      .write(to: URL(filePath: "\(library.folder)/config.toml"))
    let set = try library.program.shell(
      "GALLERY_CONFIG=config.toml gallery show 2 --output 2.jpg"
    )

    #expect(refused.status == 1)
    #expect(refused.errors.contains("is not trusted: its issuer is unknown"))
    #expect(refused.errors.contains("--extra-ca FILE trusts the authorities of a file, too"))
    #expect(sync.status == 0 && sync.output.contains("3 thumbnails stored"), "\(sync)")
    let lines = "[feed.\"\(feed)\"]\nextra-ca = \"\(authority)\"\n"
    #expect(sync.errors.contains(lines), "\(sync)")
    #expect(again.status == 0 && !again.errors.contains("extra-ca"), "\(again)")
    #expect(untrusted.status == 4, "\(untrusted)")
    #expect(show.status == 0, "\(show)")
    #expect(set.status == 0, "\(set)")
  }
}

/// A photo site that asks for a pause once, with status 429, and answers normally before and after.
private final class PausingSite: Sendable {
  let server: LoopbackServer
  private let pausedAt: Locked<Int?>

  /// Answers `count` requests, then asks for a pause of this many seconds.
  init(pause: Int, after count: Int) throws {
    let site = try PhotoSite()
    let asked = Locked(0)
    let pausedAt = Locked<Int?>(nil)
    self.pausedAt = pausedAt
    server = try LoopbackServer { request in
      let number = asked.withLock { asked in
        defer { asked += 1 }
        return asked
      }
      if number == count {
        pausedAt.withLock { $0 = number }
        return .whole(status: 429, fields: ["Retry-After: \(pause)"])
      }
      return site.response(to: request)
    }
  }

  var feed: String { "http://127.0.0.1:\(server.port)/photos.xml" }

  /// The time between the request that was answered with a pause, and the next one.
  func gapAfterPause() throws -> Duration {
    let index = try #require(pausedAt.withLock { $0 })
    let times = server.arrivalTimes
    try #require(times.count > index + 1)
    return times[index + 1] - times[index]
  }
}
