import Testing

@testable import Terminal

struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("moon", 4), ("Größe", 5), ("e\u{301}", 1), ("月と海", 6), ("한국어", 6), ("ＡＢ", 4),
    ("🌙", 2), ("½×…", 3), ("a\u{200B}b", 2), ("👩‍🚀", 4), ("🇮🇸", 4), ("👍🏽", 4),
    ("❤️", 2),
  ])
  func `counts the columns that a terminal gives a text at most`(_ text: String, _ columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
  }

  @Test(arguments: [
    ("moon", 6, "moon  "), ("moon", 4, "moon"), ("moons", 4, "moo…"), ("月と海", 6, "月と海"),
    ("月と海", 5, "月と…"), ("月と海", 4, "月… "), ("月", 1, "…"), ("", 3, "   "),
  ])
  func `fills or cuts a text to a width`(_ text: String, _ width: Int, _ padded: String) {
    #expect(TextWidth.padded(text, to: width) == padded)
    #expect(TextWidth.columns(of: padded) == width)
  }

  @Test(arguments: [
    ("moon", true), ("e\u{301}", true), ("月", true), ("🌙", true), ("👩‍🚀", false), ("🇮🇸", false),
    ("a 👍🏽 b", false), ("❤️", false),
  ])
  func `knows texts whose width terminals disagree about`(_ text: String, _ isCertain: Bool) {
    #expect(TextWidth.isCertain(text) == isCertain)
  }

  @Test func `takes the spaces at the end away`() {
    #expect(TextWidth.trimmed("  moon  ") == "  moon")
    #expect(TextWidth.trimmed("   ") == "")
  }

  @Test(arguments: [
    ("moon and sun", 12, "moon and sun"), ("moon and sun", 11, "moon and\nsun"),
    ("moon and sun", 8, "moon and\nsun"), ("moon and sun", 7, "moon\nand sun"),
    ("a moonlight sun", 5, "a moonlight sun"), ("a moonlight suns", 5, "a moonlight\nsuns"),
    ("月と海 空", 6, "月と海\n空"), ("", 3, ""),
  ])
  func `breaks a text into lines between words`(_ text: String, _ columns: Int, _ lines: String) {
    #expect(TextWidth.wrapped(text, to: columns) == lines)
  }
}
