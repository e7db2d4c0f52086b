import Foundation
import TestSupport
import Testing

/// A damaged file that is the original of images of two feeds.
struct SharedOriginalTests {
  private let site: PhotoSite
  private let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    let moon = try #require(site.page("/moon.jpg"))
    site.set("/copy.jpg", moon)
    let list = #"[{"id":1,"title":"Moon","image":"/copy.jpg","thumbnail":"/moon-small.jpg"}]"#
    site.set("/copies.json", .init(type: "application/json", body: Array(list.utf8)))
    try library.program.run("sync", site.feed)
    try library.program.run("sync", site.address("/copies.json"))
  }

  /// Stores the originals of both images, which share one file, and changes a byte of it.
  private func damage() throws {
    let path = try library.program.run("show", "1").output.trimmingCharacters(in: .newlines)
    #expect(try library.program.run("show", "4").output == path + "\n")
    let file = URL(filePath: path)
    var content = try Data(contentsOf: file)
    content[content.count / 2] ^= 0xFF
    try content.write(to: file)
  }

  @Test func `is fetched once for all of them`() throws {
    try damage()
    let asked = site.targets.count

    let repaired = try library.program.run("verify", "--repair")

    #expect(repaired.output.contains("1 damaged, 1 repaired"))
    #expect(site.targets[asked...] == ["/moon.jpg"])
    #expect(try library.program.run("verify").status == 0)
    // The program considers neither image outdated.
    try library.program.run("show", "1", "4")
    #expect(site.targets[asked...] == ["/moon.jpg"])
  }

  @Test func `is had from the one address where the other has it no more`() throws {
    try damage()
    site.set("/moon.jpg", nil)

    let repaired = try library.program.run("verify", "--repair")

    #expect(repaired.output.contains("1 damaged, 1 repaired"))
    #expect(try library.program.run("verify").status == 0)
  }

  @Test func `stays damaged, and is said to be, where neither has it any more`() throws {
    try damage()
    site.set("/moon.jpg", nil)
    site.set("/copy.jpg", nil)

    let repaired = try library.program.run("verify", "--repair")

    #expect(repaired.output.contains("the server answered 404 (not found)"))
    #expect(try library.program.run("verify").status == 2)
  }
}
