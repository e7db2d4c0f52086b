import Foundation
import TestSupport
import Testing

/// Every command on a library full of hostile text, through pipes and on a terminal.
struct HostileFeedTests {
  let site: TerribleSite
  let library: TestLibrary
  private static let images = TerribleSite.feeds.map(\.1).reduce(0, +)
  /// The feeds with images, and those that the list names.
  private static let feeds = TerribleSite.feeds.count + TerribleSite.deadFeeds
  /// The feeds, and the list.
  private static let feedLines = feeds + 1

  init() throws {
    site = try TerribleSite()
    library = try TestLibrary()
  }

  @Test func `says nothing that acts, through pipes`() throws {
    try sync()
    try expectHarmless("list", fields: 5, lines: Self.images)
    try expectHarmless("list --search 'DROP TABLE'", fields: 5)
    try expectHarmless("feeds", fields: 8, lines: Self.feedLines)
    for command in ["verify", "clean --dry-run", "sync --force --verbose", "show 1 --verbose"] {
      try expectHarmless(command)
    }
    try expectHarmless("show \(ids) --info")
    try expectHarmless("show 1 2 3 --thumbnail --refresh")
    try expectHarmless("show \(escaped("\u{1B}[31m\u{9B}\u{202E}"))")
    try expectHarmless("list --feed \(escaped("\u{1B}[31m\u{9B}\u{202E}"))")
    try expectHarmless("remove 1")
  }

  @Test func `says nothing that acts, as JSON`() throws {
    try sync(options: "--json")
    try expectJSON("list", lines: Self.images)
    try expectJSON("list --search 'DROP TABLE'")
    try expectJSON("feeds", lines: Self.feedLines)
    for command in ["verify", "clean --dry-run", "sync --force", "show 1", "remove 1"] {
      try expectJSON(command)
    }
    try expectJSON("show \(ids) --info", lines: Self.images - TerribleText.all.count)
  }

  @Test func `says nothing that acts, on a terminal`() throws {
    try sync()
    let commands = [
      "list --pictures never", "list --pictures never --limit 200", "feeds", "verify",
      "list --pictures always --limit 200", "sync --force --verbose", "sync \(failures)",
      "show 1 2 3 --pictures never", "show 4 5 6 --pictures always", "show \(ids) --info",
      "show 1 2 3 --thumbnail", "remove 1", "clean",
    ]
    for command in commands {
      try withOutput("TERM=xterm script -qec \(escaped("gallery \(command)")) /dev/null </dev/null")
      {
        output,
        _,
        _ in
        let spoken = output.withoutOwnSequences()
        #expect(spoken.isSound, "\(command)")
        // The program itself adds this mark around text that runs from right to left.
        #expect(spoken.dangers(allowing: ["\n", "\u{200E}"]) == [], "\(command)")
      }
    }
  }

  @Test func `lists feeds for other programs, and nothing that they have not`() throws {
    try sync()
    try withOutput("gallery feeds --opml") { output, _, status in
      #expect(status == 0)
      #expect(output.isSound)
      #expect(output.dangers() == [])
      #expect(output.lines.count { $0.contains("<outline ") } == Self.feeds)
    }
    let other = try TestLibrary()
    let again = try other.program.shell(
      "GALLERY_CACHE='\(library.path)' gallery feeds --opml > f.opml; gallery sync f.opml --metadata-only"
    )
    // The feeds are at a private address, which a document on disk may not reach.
    let refused = again.errors.split(separator: "\n").count { $0.hasPrefix("cannot sync ") }
    #expect(refused == Self.feeds, "\(again)")
    #expect(!again.output.contains("forged/"))
  }

  @Test func `writes nothing outside of its library`() throws {
    try sync(options: "--originals")
    for command in ["show \(ids) --offline", "verify --repair", "remove 1 --purge", "clean"] {
      _ = try library.program.shell("gallery \(command)")
    }
    let names = try library.program.shell("ls -A; find library | sed 's:^library/*::'").output
    let lines = names.split(separator: "\n")
    #expect(lines.first == "library")
    let known =
      /(library|gallery\.sqlite(-wal|-shm)?|(originals|partial|locks|thumbnails)(\/[0-9a-f\/]*[.\w]*)?)?/
    for line in lines { #expect(line.wholeMatch(of: known) != nil, "\(line)") }
  }

  // MARK: -

  private var feeds: String {
    TerribleSite.feeds.map { escaped(site.address($0.0)) }.joined(separator: " ")
  }

  private var failures: String {
    TerribleSite.failures.map { escaped(site.address($0)) }.joined(separator: " ")
  }

  /// The ids of the images of all feeds but the first.
  private var ids: String {
    (TerribleText.all.count + 1...Self.images).map(String.init).joined(separator: " ")
  }

  /// Syncs the feeds one after another, so that their ids are known, then the failing addresses.
  private func sync(options: String = "") throws {
    for (path, _) in TerribleSite.feeds {
      let line = "gallery sync \(escaped(site.address(path))) --verbose \(options)"
      try withOutput(line) { output, errors, _ in
        let lines = output.lines.filter { !$0.hasPrefix(#"{"event":"progress","#) }
        #expect(lines.count == 1, "\(path)")
        for spoken in [output, errors] {
          #expect(spoken.isSound, "\(path)")
          #expect(spoken.dangers() == [], "\(path)")
        }
      }
    }
    try expectHarmless("sync \(failures) --verbose \(options)")
  }

  private func expectHarmless(_ command: String, fields: Int? = nil, lines: Int? = nil) throws {
    try withOutput("gallery \(command)") { output, errors, _ in
      let allowed: Set<Unicode.Scalar> = fields == nil ? ["\n"] : ["\n", "\t"]
      #expect(output.isSound && errors.isSound, "\(command)")
      #expect(output.dangers(allowing: allowed) == [], "\(command)")
      #expect(errors.dangers() == [], "\(command)")
      if let lines { #expect(output.lines.count == lines, "\(command)") }
      for line in output.lines {
        let tabs = line.unicodeScalars.count { $0 == "\t" }
        #expect(fields == nil || tabs + 1 == fields, "\(line)")
      }
    }
  }

  private func expectJSON(_ command: String, lines: Int? = nil) throws {
    try withOutput("gallery \(command) --json") { output, errors, _ in
      #expect(output.isSound && errors.isSound, "\(command)")
      #expect(output.dangers() == [] && errors.dangers() == [], "\(command)")
      if let lines { #expect(output.lines.count == lines, "\(command)") }
      for line in output.lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["title"] as? String != "forged", "\(line)")
        #expect(object != nil, "\(line)")
      }
    }
  }

  /// Runs a shell command, and returns its output on both streams with its status.
  private func withOutput(
    _ line: String,
    _ body: (SpokenBytes, SpokenBytes, Int32) throws -> Void
  ) throws {
    let folder = try TestLibrary()
    let (output, errors) = ("\(folder.folder)/output", "\(folder.folder)/errors")
    let result = try library.program.shell("\(line) > '\(output)' 2> '\(errors)'")
    try body(SpokenBytes(of: output), SpokenBytes(of: errors), result.status)
  }

  /// An argument quoted for the shell (POSIX.1-2017, Shell, section 2.2.2).
  private func escaped(_ argument: String) -> String {
    "'\(argument.replacing("'", with: "'\\''"))'"
  }
}
