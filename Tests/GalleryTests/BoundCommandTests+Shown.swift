import Foundation
import TestSupport
import Testing

/// Originals that a command has just printed, and those that are here only until their thumbnail is made.
extension BoundCommandTests {
  private func paths(_ result: Program.Result) -> [String] {
    result.output.split(separator: "\n").map(String.init)
  }

  @Test func `what show prints is there when it ends, however small the bound is`() throws {
    try library.program.run("sync", site.address("/list.json"), "--originals")

    let one = try library.program.run("show", "8", "--keep", "50K")
    let files = paths(one)
    let there = files.filter(FileManager.default.fileExists)
    let kept = try stored()
    try library.program.run("clean", "--keep", "50K")

    #expect(one.status == 0 && files.count == 1 && there == files, "\(one)")
    #expect(
      one.errors.contains(
        """
        gave way: originals take at most 50.0 KiB; what was just shown takes 16.4 KiB more, and stays until the next \
        command that lets originals give way
        """
      ),
      "\(one.errors)"
    )
    #expect(kept == [8])
    #expect(try stored() == [])
  }

  @Test func `several that show prints stay together, and one without room beside them is refused`()
    throws
  {
    try library.program.run("sync", site.address("/list.json"), "--originals")

    let stay = try library.program.run("show", "3", "5", "7", "--keep", "50K")
    let kept = try stored()
    let there = paths(stay).filter(FileManager.default.fileExists)
    let refused = try library.program.run("show", "3", "1", "--keep", "100K")
    let left = try stored()

    #expect(stay.status == 0 && there.count == 3, "\(stay)")
    #expect(kept == [3, 5, 7])
    #expect(refused.status == 2 || refused.status == 4, "\(refused)")
    #expect(refused.errors.contains("originals have reached their limit of 100 KiB"), "\(refused)")
    #expect(left.contains(3) && !left.contains(1), "\(left)")
  }

  @Test func `copies of many need room for one`() throws {
    try library.program.run("sync", site.address("/list.json"), "--metadata-only")
    let folder = library.path + "-copies/"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    let ids = (1...8).map { "\($0)" }
    let command = ["show"] + ids + ["--output", folder, "--keep", "70K"]
    let copied = try library.program.finish(library.program.start(command))

    #expect(copied.status == 0, "\(copied)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 8)
    #expect(try stored() == [8])
  }

  @Test func `facts about an image let nothing give way`() throws {
    try library.program.run("sync", site.address("/list.json"), "--originals")

    let facts = try library.program.run("show", "1", "--info", "--keep", "50K")

    #expect(!facts.errors.contains("gave way"))
    #expect(try stored() == Array(1...8))
  }

  @Test func `originals for thumbnails take no stored one's place, and none is too large`() throws {
    try library.program.run("sync", site.address("/list.json"), "--originals")
    var items = ""
    for number in 1...3 {
      let body = TestPicture.jpeg(width: 300 + number, height: 200, filling: 2_000 + number)
      site.set("/moon\(number).jpg", .init(type: "image/jpeg", body: body))
      items += "<item><title>Moon</title><guid>\(number)</guid>"
      items += "<enclosure url=\"/moon\(number).jpg\" type=\"image/jpeg\" length=\"0\"/></item>"
    }
    let feed = "<rss version=\"2.0\"><channel><title>Bare</title>\(items)</channel></rss>"
    site.set("/bare.xml", .init(type: "application/rss+xml", body: Array(feed.utf8)))

    // All eight, and 96 bytes more.
    let sync = try library.program.run("sync", site.address("/bare.xml"), "--keep", "504K")
    let small = try TestLibrary()
    try small.program.run("sync", site.address("/bare.xml"), "--keep", "1K")
    let status = try small.program.run("status", "--json", "--keep", "1K")

    #expect(!sync.errors.contains("wait"), "\(sync.errors)")
    #expect(try stored() == Array(1...8))
    #expect(status.output.contains("\"thumbnails\":3"), "\(status.output)")
    #expect(status.output.contains("\"originals\":0"), "\(status.output)")
  }
}
