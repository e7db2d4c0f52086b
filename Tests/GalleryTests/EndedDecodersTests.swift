import Foundation
import Glibc
import TestSupport
import Testing

/// Kills decoders during a sync that needs them, as a kernel without memory does.
@Suite(.timeLimit(.minutes(60)))
struct EndedDecodersTests {
  private static let names = (1...6).map { "/\($0).jpg" }
  private let site: PhotoSite
  private let library: TestLibrary
  private let feed: String

  init() throws {
    library = try TestLibrary()
    site = try PhotoSite()
    var items = ""
    for (place, name) in Self.names.enumerated() {
      let picture = TestPicture.jpeg(width: 800 + 8 * place, height: 600)
      site.set(name, .init(type: "image/jpeg", body: picture))
      items += #"<item><guid>\#(name)</guid><enclosure url="\#(name)" type="image/jpeg"/></item>"#
    }
    let document = "<rss version=\"2.0\"><channel><title>Bare</title>\(items)</channel></rss>"
    site.set("/bare.xml", .init(type: "application/rss+xml", body: Array(document.utf8)))
    feed = site.address("/bare.xml")
  }

  @Test func `costs a sync none of the thumbnails that it makes`() throws {
    let undisturbed = try TestLibrary()
    try undisturbed.program.run("sync", feed)
    let gates = (1...2).map { _ in Gate() }
    for (place, name) in Self.names.dropFirst().enumerated() {
      site.hold(name, behind: gates[place % gates.count])
    }

    let running = try library.program.start(["sync", feed, "--verbose"])
    for gate in gates {
      // Kills each decoder as soon as it is ready, whatever its task.
      // More pictures arrive only afterwards, so that the program needs another decoder.
      try running.killNextDecoder()
      gate.open()
    }
    try running.killNextDecoder()
    let result = try library.program.finish(running)

    #expect(result.status == 0)
    #expect(result.output.contains("6 thumbnails stored"))
    #expect(try pictures(of: library) == pictures(of: undisturbed))
    #expect(try library.program.run("verify").status == 0)
  }

  /// The stored pictures, with the hash of each thumbnail's bytes.
  private func pictures(of library: TestLibrary) throws -> [String] {
    try (1...Self.names.count).map { id in
      let arguments = "show \(id) --thumbnail --offline --output -"
      return try library.program.shell("gallery \(arguments) | sha256sum").output
    }
  }
}

extension PhotoSite {
  /// Delays a page until a gate is open.
  fileprivate func hold(_ path: String, behind gate: Gate) {
    var page = page(path)
    page?.gate = gate
    set(path, page)
  }
}

extension RunningProgram {
  /// Reads the log until a decoder is ready, and kills this decoder.
  fileprivate func killNextDecoder() throws {
    let line = try #require(nextError { $0.contains("decoder ") && $0.contains(" is ready ") })
    let words = line.split(separator: " ")
    let number = try #require(words.firstIndex(of: "decoder")).advanced(by: 1)
    kill(try #require(pid_t(words[number])), SIGKILL)
  }

  /// Reads standard error line by line until a wanted line; nil if standard error ends before it.
  private func nextError(where isWanted: (String) -> Bool) -> String? {
    var line: [UInt8] = []
    // Reading byte by byte leaves the text after the line for the next call.
    while let byte = errors.readData(ofLength: 1).first {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      let text = String(decoding: line, as: UTF8.self)
      if isWanted(text) { return text }
      line = []
    }
    return nil
  }
}
