import Foundation
import TestSupport
import Testing

/// `show --refresh` asks whether the picture at an unchanged address is still the same.
struct RefreshTests {
  let site: PhotoSite
  let library: TestLibrary
  private let changed = TestPicture.jpeg(width: 4_000, height: 1_000, filling: 77)

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary(syncing: site.feed)
    try library.program.run("show", "1")
  }

  @Test func `shows the new picture of a webcam, whole, and keeps the one before`() throws {
    let before = try library.program.run("show", "1")
    site.set("/moon.jpg", .init(type: "image/jpeg", body: changed))

    #expect(try library.program.run("show", "1") == before)
    let after = try library.program.run("show", "1", "--refresh")

    #expect(after.status == 0)
    #expect(after.output != before.output)
    #expect(try content(after) == Data(changed))
    #expect(try content(before).count > changed.count)
    #expect(try library.program.run("show", "1") == after)
  }

  @Test func `transfers nothing when the picture is still the same`() throws {
    let before = try library.program.run("show", "1")
    let after = try library.program.run("show", "1", "--refresh")

    #expect(after == before)
    #expect(site.server.requests.last?.target == "/moon.jpg")
    #expect(site.server.requests.last?["If-None-Match"] != nil)
  }

  @Test func `tells the same events as JSON`() throws {
    let result = try library.program.run("show", "1", "--refresh", "--json")

    #expect(result.output.contains(#"{"event":"thumbnail","id":1,"#))
    #expect(result.output.contains(#""downloaded":false,"resumedFrom":0,"damaged":false}"#))
  }

  @Test func `shows what is stored when no server can be asked, says so and exits 2`() throws {
    let before = try library.program.run("show", "1")
    site.server.stop()
    let result = try library.program.run("show", "1", "--refresh")

    #expect(result.status == 2)
    #expect(result.output == before.output)
    #expect(result.errors.hasPrefix("cannot refresh the original of '1': "))
    #expect(result.errors.hasSuffix(" — this is the one that is stored\n"))
  }

  @Test func `leaves what is stored when a page comes in its place`() throws {
    let before = try library.program.run("show", "1")
    let page = Array("<html><body>Please log in</body></html>".utf8)
    site.set("/moon.jpg", .init(type: "text/html", body: page))
    let result = try library.program.run("show", "1", "--refresh")

    #expect(result.status == 2)
    #expect(result.output == before.output)
    #expect(try content(result).count > changed.count)
  }

  @Test func `fetches what is not stored yet`() throws {
    let result = try library.program.run("show", "2", "--refresh")

    #expect(result.status == 0)
    #expect(try content(result).count > 0)
  }

  private func content(_ result: Program.Result) throws -> Data {
    try Data(contentsOf: URL(filePath: result.output.trimmingCharacters(in: .newlines)))
  }
}
