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
    // A command stays in one line.
    ("see 'gallery sync --x' now", 20, "see\n'gallery sync --x'\nnow"),
    ("see 'gallery sync --x' now", 16, "see 'gallery sync --x' now"),
    ("run gallery list 'a b' or it", 20, "run\ngallery list 'a b'\nor it"),
    (#"gallery rm -x 'a'\\'b c' it"#, 25, "gallery rm -x 'a'\\\\'b c'\nit"),
    (
      "run 'gallery-dl -j PAGE | gallery sync -' for it", 40,
      "run\n'gallery-dl -j PAGE | gallery sync -'\nfor it"
    ),
    (#"run "gallery sync 'a b' -q" or it"#, 24, "run\n\"gallery sync 'a b' -q\"\nor it"),
    (#"run "gallery sync 'a "b c' -q"; it"#, 28, "run\n\"gallery sync 'a \"b c' -q\";\nit"),
    (#""gallery moon and sun"#, 12, "\"gallery\nmoon and sun"),
    ("a gallery is far away from 'b'", 12, "a gallery is\nfar away\nfrom 'b'"),
    ("'gallery moon and sun", 12, "'gallery\nmoon and sun"),
    ("gallery x 'moon and sun", 13, "gallery x\n'moon and sun"),
  ])
  func `breaks a text into lines between words`(_ text: String, _ columns: Int, _ lines: String) {
    #expect(TextWidth.wrapped(text, to: columns) == lines)
  }
}

struct CellLineTests {
  private func line(_ texts: [String], width: Int, canMove: Bool = true) -> String {
    let cells = texts.map { CellLine.Cell(text: $0, width: width) }
    return CellLine.line(cells, gap: 2, canMove: canMove)
  }

  @Test func `puts words side by side, cut to their width`() {
    #expect(
      line(["1  A heron", "2  A very long title", "3"], width: 12)
        == "1  A heron    2  A very l…  3"
    )
  }

  @Test func `counts wide characters as two columns`() {
    #expect(line(["4  夕焼けの山々", "5"], width: 10) == "4  夕焼け…  5")
  }

  @Test func `keeps words that run to the left in their place`() {
    #expect(
      line(["5  שלום", "6  عالم", "7"], width: 8)
        == "\u{200E}5  שלום \u{200E}  \u{200E}6  عالم \u{200E}  7"
    )
  }

  @Test func `sets a cell behind an emoji of several scalars by its column on a terminal`() {
    let texts = ["1  👩‍🚀 up", "2  Moon", "3  Sun"]

    #expect(line(texts, width: 12) == "1  👩‍🚀 up  \u{1B}[15G2  Moon       3  Sun")
    #expect(line(texts, width: 12, canMove: false) == "1  👩‍🚀 up    2  Moon       3  Sun")
  }

  @Test func `cuts an emoji of several scalars by the width of all of them`() {
    #expect(line(["👩‍🚀👩‍🚀", "b"], width: 6) == "👩‍🚀… \u{1B}[9Gb")
  }

  @Test func `leaves empty cells at the end away, and colours only words`() {
    let cells = [
      CellLine.Cell(text: "a", width: 3, style: .dim), CellLine.Cell(text: "", width: 3),
      CellLine.Cell(text: "", width: 3, style: .problem),
    ]

    #expect(CellLine.line(cells, gap: 2, canMove: true) == "\u{1B}[2ma\u{1B}[0m")
  }
}
