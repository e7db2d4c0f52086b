import Foundation
import TestSupport
import Testing
import Threading

/// Originals whose transfer does not end in one run.
struct ResumedShowTests {
  let library: TestLibrary

  init() throws { library = try TestLibrary() }

  @Test(arguments: Resumption.all)
  func `has the server's picture after being killed in the middle of it`(
    _ resumption: Resumption
  ) throws {
    let gate = Gate()
    let site = try LargePictureSite(resumption.before.halted(at: 10 << 20, by: gate))
    try sync(site)
    let running = try library.program.start(["show", "--json", "1"])
    try running.readProgress(to: 9 << 20)
    if resumption.condition != nil {
      // The next run can resume from the data that was on the disk at this moment.
      try FolderWatch.waitForFile("1.note", in: library.path + "/partial")
    }
    running.killAtOnce()
    gate.open()
    site.set(resumption.after)

    let result = try library.program.run("show", "--json", "1")

    let asked = site.requests.dropFirst()
    #expect(asked.count == resumption.requests)
    #expect(asked.first?["If-Range"] == resumption.condition)
    #expect((asked.first?["Range"] == nil) == (resumption.condition == nil))
    #expect(try shown(by: result) == Data(resumption.after.picture))
    let resumedFrom = try #require(result.output.firstMatch(of: /"resumedFrom":(\d+)/)?.1)
    #expect(resumption.isResumed == (resumedFrom != "0"))
    if resumption.isResumed { #expect(asked.first?["Range"] == "bytes=\(resumedFrom)-") }
    #expect(try leftovers() == [])
  }

  @Test func `goes on behind the last byte after Ctrl-C`() throws {
    let gate = Gate()
    let ways = LargePictureSite.Ways(picture: TestPicture.large(bytes: 1 << 20))
    let site = try LargePictureSite(ways.halted(at: 512 << 10, by: gate))
    try sync(site)
    let running = try library.program.start(["show", "--json", "1"])
    // The program tells of every 64 KiB, so that it may tell nothing of the last ones.
    try running.readProgress(to: 448 << 10)
    try FolderWatch.waitForFile("1", bytes: 512 << 10, in: library.path + "/partial")
    kill(running.process.identifier, SIGINT)
    let interrupted = try library.program.finish(running)
    gate.open()
    site.set(ways)

    let result = try library.program.run("show", "--json", "1")

    #expect(interrupted.status == 130)
    #expect(try shown(by: result) == Data(ways.picture))
    // On a slow machine, the interrupted program may have retried, and received the next part.
    let resumed = try #require(result.output.firstMatch(of: /"resumedFrom":(\d+)/)?.1)
    #expect(Int(resumed).map { $0 % (512 << 10) == 0 && $0 > 0 } == true)
    #expect(site.requests.last?["Range"] == "bytes=\(resumed)-")
    #expect(result.output.contains("{\"event\":\"progress\",\"id\":1,\"received\":\(resumed),"))
    #expect(try leftovers() == [])
  }

  @Test func `goes on in the same run when the connection breaks`() throws {
    let gate = Gate()
    gate.open()
    let ways = LargePictureSite.Ways(picture: TestPicture.large(bytes: 1 << 20))
    let site = try LargePictureSite(ways.halted(at: 700 << 10, by: gate))
    try sync(site)

    let result = try library.program.run("show", "--json", "1")

    #expect(site.requests.map { $0["Range"] } == [nil, "bytes=\(700 << 10)-"])
    #expect(try shown(by: result) == Data(ways.picture))
    #expect(result.output.contains("\"resumedFrom\":0"))
  }

  @Test func `takes what is here for all when nothing is missing`() throws {
    let gate = Gate()
    var ways = LargePictureSite.Ways(picture: TestPicture.large(bytes: 1 << 20))
    ways.declaresLength = false
    let site = try LargePictureSite(ways.halted(at: ways.picture.count, by: gate))
    try sync(site)
    let running = try library.program.start(["show", "--json", "1"])
    try running.readProgress(to: 512 << 10)
    try FolderWatch.waitForFile("1", bytes: ways.picture.count, in: library.path + "/partial")
    kill(running.process.identifier, SIGINT)
    _ = try library.program.finish(running)
    gate.open()
    site.set(ways)

    let result = try library.program.run("show", "1")

    #expect(site.requests.last?["Range"] == "bytes=\(ways.picture.count)-")
    #expect(result.status == 0)
    let path = result.output.trimmingCharacters(in: .newlines)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(ways.picture))
  }

  private func sync(_ site: LargePictureSite) throws {
    try library.program.run("sync", site.feed, "--metadata-only")
  }

  /// The content of the file that a run with `--json` returned.
  private func shown(by result: Program.Result) throws -> Data {
    #expect(result.status == 0, "\(result.errors)")
    let path = try #require(result.output.firstMatch(of: /"file":"([^"]+)"/)?.1)
    return try Data(contentsOf: URL(filePath: String(path)))
  }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: library.path + "/partial")
  }
}

extension LargePictureSite.Ways {
  /// The same response, which breaks off after this many bytes once the gate is open.
  fileprivate func halted(at count: Int, by gate: Gate) -> Self {
    var ways = self
    ways.halt = (count, gate)
    return ways
  }
}
