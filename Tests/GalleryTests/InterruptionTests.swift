import Foundation
import Glibc
import TestSupport
import Testing
import Threading

/// Signals from another process, at any moment.
@Suite(.timeLimit(.minutes(60)))
struct InterruptionTests {
  let site: PhotoSite
  let library: TestLibrary
  private let gate = Gate()

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    let held = TestPicture.jpeg(width: 320, height: 80, filling: 10)
    site.set("/stars-small.jpg", .init(type: "image/jpeg", body: held, gate: gate))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `ends with what came kept, whichever signal came`(signal: Int32) throws {
    let running = try library.program.start(["sync", site.feed])
    site.server.arrivals.waitToReach(4)
    kill(running.process.identifier, signal)
    let result = try library.program.finish(running)
    gate.open()

    #expect(result.status == 128 + signal)
    #expect(result.errors.contains("interrupted — gallery has stored what arrived"))
    #expect(try library.program.run("list").output.split(separator: "\n").count == 3)
  }

  @Test func `loses no signal, however early it comes`() throws {
    for _ in 0..<20 {
      let running = try library.program.start(["sync", site.feed])
      kill(running.process.identifier, SIGTERM)
      #expect(try library.program.finish(running).status == 128 + SIGTERM)
    }
    gate.open()
  }

  @Test func `ends at once at a second signal`() throws {
    let running = try library.program.start(["sync", site.feed])
    site.server.arrivals.waitToReach(4)
    // Both signals wait until the program continues, so that it cannot end between them.
    for signal in [SIGSTOP, SIGINT, SIGTERM, SIGCONT] {
      kill(running.process.identifier, signal)
    }
    let result = try library.program.finish(running)
    gate.open()

    #expect([128 + SIGINT, 128 + SIGTERM].contains(result.status))
  }

  @Test func `goes on where whoever started it wants a signal ignored`() throws {
    let line = "trap '' INT HUP; exec gallery sync \(site.feed)"
    let running = try library.program.start(["-c", line], executable: "/bin/sh")
    site.server.arrivals.waitToReach(4)
    kill(running.process.identifier, SIGINT)
    kill(running.process.identifier, SIGHUP)
    gate.open()
    let result = try library.program.finish(running)

    #expect(result.status == 0)
    #expect(result.output.contains("3 thumbnails stored"))
  }
}
