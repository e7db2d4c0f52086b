import Foundation
import TestSupport
import Testing

/// Pictures on the terminal, drawn by the program with its decoder.
struct PicturesTests {
  let site: PhotoSite
  let library: TestLibrary

  /// The moon is a real photograph; the other files have valid markers, but cannot be decoded.
  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
    let photograph = Checkout.folder.appending(path: "Scripts/demo-feed/thumbnails/06-fig.jpg")
    let page = PhotoSite.Page(type: "image/jpeg", body: try [UInt8](Data(contentsOf: photograph)))
    site.set("/moon.jpg", page)
    site.set("/moon-small.jpg", page)
    let broken = PhotoSite.Page(type: "image/jpeg", body: TestPicture.large(bytes: 40))
    for name in ["sun", "sun-small", "stars", "stars-small"] { site.set("/\(name).jpg", broken) }
    try library.program.run("sync", site.feed)
  }

  @Test func `lists a grid of thumbnails, with frames for what cannot be drawn`() throws {
    let result = try library.program.run("list", "--pictures", "always")

    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 11)
    #expect(lines[8].hasPrefix("1 Moon                     2 Sun                      3 Stars & "))
    let frame = "┌" + String(repeating: "─", count: 23) + "┐"
    #expect(lines[0].hasSuffix("  \(frame)  \(frame)"))
    #expect(lines[4].hasSuffix("  │      no picture       │  │      no picture       │"))
    #expect(lines[4].prefix(25).contains { "▀▄█▌▐▖▗▘▝▚▞".contains($0) })
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test(arguments: [["--json"], ["--quiet"], ["--pictures", "never"], []])
  func `draws nothing that was not asked for`(options: [String]) throws {
    let drawing = options.isEmpty || options[0] == "--pictures" ? [] : ["--pictures", "always"]
    let arguments = ["list", "--limit", "1"] + options + drawing
    let result = try library.program.finish(library.program.start(arguments))

    #expect(result.output.split(separator: "\n").count == 1)
    #expect(result.output.contains("2026-11-02T08:00:00Z"))
  }

  @Test func `shows the picture, and the path below`() throws {
    let drawn = try library.program.run("show", "1", "--pictures", "always")
    let plain = try library.program.run("show", "1")

    #expect(drawn.output.hasSuffix("\n" + plain.output))
    #expect(drawn.output.split(separator: "\n").count > 10)
    #expect(drawn.status == 0)
  }

  @Test func `says what cannot be drawn, and shows its path`() throws {
    let result = try library.program.run("show", "2", "--pictures", "always")

    #expect(result.output == (try library.program.run("show", "2").output))
    #expect(result.errors.hasPrefix("cannot draw the original of '2': "))
    #expect(result.status == 0)
  }

  @Test func `keeps a copy to standard output free of pictures`() throws {
    let result = try library.program.shell(
      "gallery show 1 --pictures always --output - | cmp - '\(photograph)'"
    )

    #expect(result == Program.Result(status: 0, output: "", errors: ""))
  }

  @Test func `draws on a terminal that takes pictures`() throws {
    let line = "TERM=xterm-kitty script -qec 'gallery show 1' /dev/null </dev/null"
    let result = try library.program.shell(line)

    // The program draws the thumbnail, draws the original over it, and deletes the thumbnail. If the original is slow,
    // it draws what has come of it in between.
    let drawn = result.output.ranges(of: "\u{1B}_Ga=T").count
    #expect(drawn >= 2)
    #expect(result.output.ranges(of: "\u{1B}_Ga=d").count == drawn - 1)
    // Questions to the terminal stand before the text, unless `script` already passed on the end of its input.
    #expect(result.output.contains("1 'Moon'\r\n"))
    #expect(result.output.hasSuffix(".jpg\r\n"))
    #expect(result.status == 0)
  }

  @Test func `draws without colours where none are wanted`() throws {
    let line = "NO_COLOR=1 TERM=xterm script -qec 'gallery list --limit 1' /dev/null </dev/null"
    let result = try library.program.shell(line)

    #expect(result.output.contains("1 Moon\r\n"))
    #expect(!result.output.contains("\u{1B}[38;"))
  }

  @Test func `opens the original with the desktop's program`() throws {
    let script =
      "#!/bin/sh\necho \"$1\" > '\(library.folder)/opened.new'\n"
      + "mv '\(library.folder)/opened.new' '\(library.folder)/opened'\n"
    let folder = library.folder + "/bin"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(script.utf8).write(to: URL(filePath: folder + "/xdg-open"))
    let result = try library.program.shell(
      "chmod +x bin/xdg-open; PATH=\"$PWD/bin:$PATH\"; gallery show 1 --open;"
        + " until [ -e opened ]; do :; done; cat opened"
    )

    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first == lines.last)
    #expect(lines.first?.hasSuffix(".jpg") == true)
  }

  @Test func `says that there is no program to open pictures with`() throws {
    let gallery = try Programs.path(of: "gallery")
    let result = try library.program.shell("PATH=/nowhere; '\(gallery)' show 1 --open")

    #expect(result.status == 2)
    #expect(
      result.errors
        == "cannot open the original of '1': there is no 'xdg-open' in PATH — it is stored\n"
    )
  }

  @Test func `opens no SVG, which may hold programs`() throws {
    let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>"#
    site.set("/sun.jpg", .init(type: "image/svg+xml", body: Array(svg.utf8)))
    let result = try library.program.run("show", "2", "--open")

    #expect(result.status == 2)
    #expect(result.output.hasSuffix(".svg\n"))
    #expect(result.errors.hasPrefix("cannot open the original of '2': SVG can hold programs"))
  }

  private var photograph: String {
    Checkout.folder.appending(path: "Scripts/demo-feed/thumbnails/06-fig.jpg").path
  }
}
