import Foundation
import Glibc
import TestSupport
import Testing
import Threading

/// Readers and terminals that close in the middle of a run.
@Suite(.timeLimit(.minutes(60)))
struct ClosedOutputTests {
  private let site: PhotoSite
  private let library: TestLibrary
  private let gate = Gate()

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    let held = TestPicture.jpeg(width: 320, height: 80, filling: 10)
    site.set("/stars-small.jpg", .init(type: "image/jpeg", body: held, gate: gate))
  }

  @Test func `a sync continues when no program reads its output`() throws {
    let running = try library.program.start(["sync", site.feed, "--json"])
    site.server.arrivals.waitToReach(4)
    try running.closeOutputs()
    gate.open()

    #expect(running.process.wait() == 0)
    #expect(try storedThumbnails() == 3)
  }

  @Test func `an original is fetched to its end when no program reads its output`() throws {
    gate.open()
    try library.program.run("sync", site.feed)
    let original = Gate()
    let body = TestPicture.jpeg(width: 4_000, height: 1_000)
    site.set("/moon.jpg", .init(type: "image/jpeg", body: body, gate: original))

    let running = try library.program.start(["show", "1", "--json"])
    site.server.arrivals.waitToReach(5)
    try running.closeOutputs()
    original.open()

    #expect(running.process.wait() == 0)
    #expect(try library.program.run("show", "1", "--offline").status == 0)
  }

  @Test func `a closed terminal ends a sync like its signal, with what came kept`() throws {
    let terminal = try ClosableTerminal()
    let process = try terminal.run(["gallery", "sync", site.feed], in: library)
    site.server.arrivals.waitToReach(4)
    terminal.close()
    let status = process.wait()
    gate.open()

    #expect(status == 128 + SIGHUP)
    #expect(try library.program.run("list").output.split(separator: "\n").count == 3)
    #expect(try library.program.run("verify").status == 0)
  }

  @Test func `a sync that is to outlive its terminal goes on without it`() throws {
    let terminal = try ClosableTerminal()
    let line = "trap '' HUP; exec gallery sync \(site.feed)"
    let process = try terminal.run(["sh", "-c", line], in: library)
    site.server.arrivals.waitToReach(4)
    terminal.close()
    gate.open()

    // The program could not write its output.
    #expect(process.wait() == 1)
    #expect(try storedThumbnails() == 3)
  }

  private func storedThumbnails() throws -> Int {
    let lines = try library.program.run("list", "--json").output.split(separator: "\n")
    return lines.count { $0.contains(#""stored":true"#) }
  }
}

extension RunningProgram {
  /// Closes the outputs, as `head` does after its last line.
  fileprivate func closeOutputs() throws {
    try output.close()
    try errors.close()
  }
}
