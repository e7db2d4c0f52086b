import Foundation
import Glibc
import TestSupport
import Testing
import Threading

/// Two processes that sync the same feed into the same library at the same time.
@Suite(.timeLimit(.minutes(60)))
struct TwoSyncsTests {
  let site: PhotoSite
  let library: TestLibrary
  let gate = Gate()

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  /// Starts a sync that holds the feed's lock while the gate delays its document.
  private func startHeldSync() throws -> RunningProgram {
    var page = try #require(site.page("/photos.xml"))
    page.gate = gate
    site.set("/photos.xml", page)
    let running = try library.program.start(["sync", site.feed])
    site.server.arrivals.waitToReach(1)
    return running
  }

  @Test func `the second waits for the first, and finds all done`() throws {
    let program = library.program
    let first = try startHeldSync()
    let second = try program.start(["sync", site.feed])
    let note = second.waitForError("\n")
    gate.open()
    let results = try [program.finish(first), program.finish(second)]

    let process = first.process.identifier
    #expect(
      steady(note.replacing(/since \S+ \S+/, with: "since NOW"), site: site) == """
        process \(process) has been syncing 'http://site/photos.xml' since NOW — waiting for it

        """
    )
    #expect(results.map(\.status) == [0, 0])
    #expect(results[0].output.contains("3 images, 3 new; 3 thumbnails stored"))
    #expect(results[1].output.hasPrefix("unchanged 'Night sky': 3 images"))
    #expect(results[1].errors == "")
    #expect(site.targets.count { $0 == "/photos.xml" } == 2)
    #expect(site.targets.count == 5)
    #expect(try program.run("list").output.split(separator: "\n").count == 3)
  }

  @Test func `reading and other feeds do not wait`() throws {
    let program = library.program
    site.set("/list.json", .init(type: "text/json", body: Array(#"[{"url":"/sun.jpg"}]"#.utf8)))
    let first = try startHeldSync()
    let other = try program.run("sync", site.address("/list.json"))
    let list = try program.run("list")
    gate.open()

    #expect(other.output.contains("1 image, 1 new"))
    #expect(list.output.split(separator: "\n").count == 1)
    let end = try program.finish(first)
    #expect(end.status == 0, "\(end)")
  }

  @Test func `one that was killed blocks no other`() throws {
    let program = library.program
    let first = try startHeldSync()
    kill(first.process.identifier, SIGKILL)
    let killed = try program.finish(first)
    gate.open()
    let second = try program.run("sync", site.feed)

    #expect(killed.status == 128 + SIGKILL)
    #expect(second.errors == "")
    #expect(second.output.contains("3 images, 3 new"))
  }
}
