import Foundation
import Testing

/// Files of settings that no person writes.
struct ConfigurationBoundsTests {
  let library: TestLibrary

  init() throws { library = try TestLibrary() }

  private var path: String { "\(library.folder)/.config/gallery/config.toml" }

  private func write(_ text: String) throws {
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  @Test(arguments: ["mkfifo x", "rm -f x; ln -s /dev/zero x"])
  func `refuses a folder or a device at once`(line: String) throws {
    let result = try library.program.shell("\(line); GALLERY_CONFIG=x gallery list")

    #expect(result.status == 64)
    #expect(
      result.errors.hasPrefix("Error: cannot use 'x': it is not a file — "),
      "\(result.errors)"
    )
  }

  @Test(arguments: [
    ("#" + String(repeating: "x", count: 256 << 10), ": it has more than 262144 bytes"),
    (
      (0...1_000).map { "x\($0) = 1\n" }.joined(),
      ", line 1001: there are more than 1000 names"
    ),
    (
      "\n" + (0...1_000).map { "[feed.'\($0)']\n" }.joined(),
      ", line 1002: there are more than 1000 names"
    ),
    ("x = " + String(repeating: "[", count: 9), ", line 1: it nests more than 8 levels deep"),
    ("\na.b.c.d.e.f.g.h.i.j = 1", ", line 2: it nests more than 8 levels deep"),
    (
      "x = \"\\\"\"\n[a.b.c.d.e.f.g.'h.h'.i.j]\n", ", line 2: it nests more than 8 levels deep"
    ),
    (
      "x = \"\"\"\n\\\"\"\"\" # \"\"\"\"\"\ny = [[[[[[[[[",
      ", line 3: it nests more than 8 levels deep"
    ),
  ])
  func `a file that asks too much of its reader is refused before`(
    text: String,
    message: String
  ) throws {
    try write(text)
    let result = try library.program.run("list")

    #expect(result.status == 64)
    #expect(
      result.errors.hasPrefix("Error: cannot use '\(path)'\(message)"),
      "\(result.errors.prefix(200))"
    )
  }

  @Test func `a file within its bounds is read, whatever its texts hold`() throws {
    let brackets = String(repeating: "[", count: 20)
    let feeds = (1...100).map { number in
      "[feed.'https://a.b.c.d.e.f.g.h.i.j.example/\(number)']\noriginals = true\n"
    }
    try write(
      """
      # \(brackets) = =
      format = \"\"\"\(brackets)\\\"\"\" = \"\"\"\"\"
      [list]
      search = '\(brackets)\\'
      sort = "\(brackets)\\"."
      \(feeds.joined())
      """
    )

    let result = try library.program.run("config", "check")

    #expect(result.output.hasPrefix("\(path):5: "), "\(result)")
  }
}
