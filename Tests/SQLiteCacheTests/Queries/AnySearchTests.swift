import Models
import Testing

/// Searches for random texts, the same in every run.
///
/// The texts consist of parts that have a meaning for the full-text index, for SQL or for Unicode.
@Suite(.onEachStore)
struct AnySearchTests {
  private static let parts = [
    "sun", "Café", "e\u{301}", "日本", "\u{1F600}", "\u{200D}", "\u{AD}", "\u{FFFD}", "\u{FEFF}",
    "\u{1D538}", "ß", "İ", "1", "_", " ", "  ", "\t", "\"", "'", "*", "^", "(", ")", "{", "}", ":",
    "+", "-", ".", ",", ";", "%", "\\", " OR ", " AND ", " NOT ", "NEAR(", "title", "feed", "f1",
  ]

  @Test func `finds an image by its own title, whatever is in it`() async throws {
    let store = try TemporaryStore()
    let titles = Self.titles(count: 300)
    try await store.sync(titles.enumerated().map { .sample("\($0.offset)", title: $0.element) })

    for (number, title) in titles.enumerated() where Self.hasWord(title) {
      let names = try await store.names(ImageQuery(search: title))
      #expect(names.contains("\(number)"), "\(title.debugDescription)")
    }
  }

  private static func hasWord(_ title: String) -> Bool {
    title.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }

  private static func titles(count: Int) -> [String] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
      (0..<8).map { _ in
        // The constants are those of Knuth's MMIX; the highest bits are the best.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return parts[Int(state >> 33) % parts.count]
      }
      .joined()
    }
  }
}
