import TestSupport
import Testing
import Workers

struct GoneFeedTests {
  let library: TestLibrary
  let server: LoopbackServer
  let isGone = Locked(false)
  private let document = #"[{"url":"/moon.jpg"}]"#

  init() throws {
    library = try TestLibrary()
    server = try LoopbackServer { [isGone, document] request in
      let isRefused = request.target == "/gone" && isGone.withLock { $0 }
      return .whole(Array(document.utf8), status: isRefused ? 410 : 200)
    }
    try library.program.run("sync", address("/gone"), address("/other"), "--metadata-only")
    isGone.withLock { $0 = true }
  }

  private func address(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  @Test func `is told once, left alone after that, and asked again when it is named`() throws {
    let program = library.program
    let named = try program.run("sync", address("/gone"), "--metadata-only")
    let before = server.requests.count
    let every = try program.run("sync", "--metadata-only")
    let asked = server.requests[before...].map(\.target)
    let feeds = try program.run("feeds", "--json")
    isGone.withLock { $0 = false }
    let back = try program.run("sync", address("/gone"), "--metadata-only")
    let after = try program.run("sync", "--metadata-only")

    let reason =
      "the server says that it is gone (410), and gallery asks it again only when you name it"
    #expect(named.status == 1)
    #expect(named.errors.contains(reason))
    #expect(every.status == 0)
    #expect(asked == ["/other"])
    #expect(every.errors.hasPrefix("1 feed is paused, because its server says that it is gone"))
    #expect(feeds.output.contains(#""problem":"\#(reason)""#))
    #expect(back.status == 0)
    #expect(after.errors == "")
  }

  @Test func `all of them paused is not none known`() throws {
    let program = library.program
    try program.run("remove", address("/other"))
    try program.run("sync", "--metadata-only")
    let result = try program.run("sync", "--metadata-only")

    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("1 feed is paused"))
  }
}
