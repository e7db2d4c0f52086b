import FeedFormats
import Foundation
import Models
import Workers

@testable import Scenes
@testable import Terminal

/// Text from strangers, as it goes to a terminal, to JSON, and to OPML as a feed's name.
struct HarmlessTextTarget: FuzzTarget {
  let name = "harmless"
  let dictionary = "terminal"
  let seeds: [Seed] = [
    .text("\u{1B}[31mred\u{1B}]0;title\u{7}"), .text("a\u{202E}b\u{2066}c\u{85}d\u{9B}e\u{FEFF}"),
    .text("one\r\ntwo\tthree \"\\\u{1F600}\u{E0041}"),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let text = String(decoding: input, as: UTF8.self)
    let line = HarmlessText.line(text)
    try requireHarmless(line)
    try requireEqual(HarmlessText.line(line), line, "a harmless text made harmless")
    try requireEqual(line.unicodeScalars.count, text.unicodeScalars.count, "the length of a text")
    try requireJSON(text)
    try requireOPML(text)
  }

  /// Rejects the controls of ISO 6429, and the characters that reorder a line (UAX #9).
  private func requireHarmless(_ text: String) throws(BrokenProperty) {
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control
      try require(!isControl && !scalar.properties.isBidiControl, "U+\(scalar.value) stays")
    }
  }

  private func requireJSON(_ text: String) throws(BrokenProperty) {
    let bytes = JSONLine.lines([["text": .text(text)] as Record])
    try requireHarmless(String(decoding: bytes.dropLast(), as: UTF8.self))
    // If the line cannot be read, the comparison fails, because there is no text.
    let read = try? JSONDecoder().decode([String: String].self, from: Data(bytes))
    let scalars = read?["text"].map { Array($0.unicodeScalars) }
    try requireEqual(scalars, Array(text.unicodeScalars), "a text in JSON")
  }

  /// The name of a feed must not change the feeds in the list.
  private func requireOPML(_ text: String) throws(BrokenProperty) {
    guard let feed = WebAddress("https://example.org/feed?a&b"),
      let list = WebAddress("https://example.org/list")
    else { return }
    let displayed = DisplayedFeed(
      id: 1,
      title: text,
      address: feed.text,
      format: "",
      images: "",
      imageNumber: "",
      lastSync: "",
      lastSyncTime: "",
      status: "",
      problem: ""
    )
    let document = OPMLDocument.text(of: [displayed], created: "Mon, 02 Nov 2026 08:00:00 GMT")
    let lines = document.split(separator: "\n").map(String.init)
    for line in lines { try requireHarmless(line) }
    let bytes = Array(document.utf8)
    let read = FeedResult([bytes[...]], from: FeedSource(address: list)).document
    try requireEqual(read?.continuation, .feeds([feed]), "what is listed")
    try requireEqual(read?.flaws, [], "the flaws of a list")
  }
}
