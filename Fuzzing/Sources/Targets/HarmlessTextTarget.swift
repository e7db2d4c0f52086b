import Foundation

@testable import Terminal

/// Text from strangers on its way to a terminal, as it is and as JSON.
struct HarmlessTextTarget: FuzzTarget {
  let name = "harmless"
  let dictionary = "terminal"
  let seeds: [Seed] = [
    .text("\u{1B}[31mred\u{1B}]0;title\u{7}"), .text("a\u{202E}b\u{2066}c\u{85}d\u{9B}e\u{FEFF}"),
    .text("one\r\ntwo\tthree \"\\\u{1F600}\u{E0041}"),
  ]

  func run(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let line = HarmlessText.line(text)
    requireHarmless(line)
    requireEqual(HarmlessText.line(line), line, "a harmless text made harmless")
    requireEqual(line.unicodeScalars.count, text.unicodeScalars.count, "the length of a text")
    requireJSON(text)
  }

  /// The controls of ISO 6429, and those that change the order of a line (UAX #9).
  private func requireHarmless(_ text: String) {
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control
      require(!isControl && !scalar.properties.isBidiControl, "U+\(scalar.value) stays")
    }
  }

  private func requireJSON(_ text: String) {
    let bytes = JSONLine.object { $0.member("text", text) }
    requireHarmless(String(decoding: bytes.dropLast(), as: UTF8.self))
    do {
      let read = try JSONDecoder().decode([String: String].self, from: Data(bytes))
      let scalars = read["text"].map { Array($0.unicodeScalars) }
      requireEqual(scalars, Array(text.unicodeScalars), "a text in JSON")
    } catch {
      fatalError("this is not JSON: \(error)")
    }
  }
}
