import Foundation
import Glibc
import TestSupport
import Testing

/// The real program on a terminal of tmux.
@Suite(.timeLimit(.minutes(60)))
struct BrowseCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary(syncing: site.feed)
  }

  @Test func `shows an image, and goes back to the same place`() throws {
    let terminal = try TmuxTerminal("gallery browse --pictures never", in: library)
    let first = try terminal.wait(for: "1 of 3 images")
    #expect(first.hasPrefix("1 Moon  2026-11-02  Night sky\n2 Sun  2026-11-01  Night sky\n"))

    try terminal.press("Down")
    // The line at the bottom is drawn last, and ends with these words.
    let room = String(repeating: " ", count: 61)
    try terminal.wait(for: "2 of 3 images\(room)? help")
    try terminal.press("Enter")
    try terminal.wait(for: "2 'Sun' — fetched original")
    try terminal.press("Escape")
    let back = try terminal.wait(for: "2 of 3 images\(room)? help")
    // The second line may already say that the original is stored.
    #expect(back.hasPrefix("1 Moon  2026-11-02  Night sky\n2 Sun  2026-11-01  Night sky"))
    try terminal.press("q")
    try terminal.wait(for: "status 0 icanon echo")
  }

  @Test func `searches, chooses a feed, pins, and lists the keys`() throws {
    let terminal = try TmuxTerminal("gallery browse --pictures never", in: library)
    try terminal.wait(for: "1 of 3 images")

    try terminal.press("/", "s", "u", "n", "Enter")
    try terminal.wait(for: "1 of 1 image — /sun")
    try terminal.press("p")
    try terminal.wait(for: "1 image is pinned")
    #expect(try library.program.run("list", "--pinned").output.contains("\tSun\t"))
    try terminal.press("Escape")
    try terminal.wait(for: "1 of 3 images ")
    try terminal.press("f")
    try terminal.wait(for: "All feeds")
    try terminal.wait(for: "Night sky  ")
    try terminal.press("Down", "Enter")
    try terminal.wait(for: "1 of 3 images — Night sky")
    try terminal.press("i")
    try terminal.wait(for: "first seen")
    try terminal.press("Escape")
    try terminal.wait(for: "1 Moon  2026-11-02  Night sky\n")
    try terminal.press("?")
    try terminal.wait(for: "back to the same place")
  }

  @Test func `shows what another process changes, and keeps to its image`() throws {
    let terminal = try TmuxTerminal("gallery browse --pictures never", in: library)
    try terminal.wait(for: "1 of 3 images")
    try terminal.press("Down")
    try terminal.wait(for: "2 of 3 images")

    try library.program.run("remove", "1")
    try terminal.wait(for: "no image is stored yet")
    try library.program.run("sync", site.feed)
    try terminal.wait(for: "of 3 images")
  }

  @Test func `follows the size of the window`() throws {
    let terminal = try TmuxTerminal("gallery browse", in: library, columns: 80)
    try terminal.wait(for: "1 of 3 images")
    try terminal.tmux("resize-window -x 40 -y 12")

    try terminal.wait(for: "1 of 3 images                     ? help")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM])
  func `gives the terminal back after a signal`(signal: Int32) throws {
    let terminal = try TmuxTerminal("gallery browse --pictures never", in: library)
    try terminal.wait(for: "1 of 3 images")
    kill(try #require(try terminal.process(of: "gallery")), signal)

    let screen = try terminal.wait(for: "status \(128 + signal) icanon echo")
    #expect(!screen.contains("of 3 images"))
  }

  @Test func `begins with an empty library`() throws {
    let empty = try TestLibrary()
    let terminal = try TmuxTerminal("gallery browse", in: empty)

    try terminal.wait(for: "nothing is stored at")
    try terminal.press("q")
    try terminal.wait(for: "status 0 icanon echo")
  }

  @Test(arguments: ["browse", "frame"])
  func `needs a terminal`(command: String) throws {
    let result = try library.program.run(command)

    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("cannot take the screen: standard input is not a terminal"))
  }

  @Test func `a slide show ends by a key`() throws {
    let terminal = try TmuxTerminal("gallery frame --seconds 2", in: library)
    try terminal.press("q")

    try terminal.wait(for: "status 0 icanon echo")
  }
}
