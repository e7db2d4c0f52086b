import Testing

@testable import Terminal

struct HarmlessTextTests {
  @Test(arguments: [
    "", "plain ASCII ~", "Größe — ½ × 3", "月と海", "👩‍🚀🇮🇸", "e\u{301}", "नमस्ते", "שלום",
    "U+FFFD: \u{FFFD}", "ཧྐྵྨླྺྼྻྂ", "مُحَمَّدٌ", "می‌خواهم", "❤️\u{2060}", "葛\u{E0100}",
  ])
  func `leaves what is only shown`(_ text: String) {
    #expect(HarmlessText.line(text) == text)
  }

  @Test(arguments: [
    ("tab\tnewline\nreturn\r", "tab newline return "),
    ("\u{B}\u{C}\u{85}\u{2028}\u{2029}", "     "),
    ("\u{1B}[31mred\u{1B}[0m", "\u{FFFD}[31mred\u{FFFD}[0m"),
    ("\u{1B}]0;title\u{7}", "\u{FFFD}]0;title\u{FFFD}"),
    ("\u{0}\u{8}\u{7F}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("\u{9B}2J\u{90}", "\u{FFFD}2J\u{FFFD}"),
    ("moon\u{202E}gpj.exe\u{202C}", "moon\u{FFFD}gpj.exe\u{FFFD}"),
    ("\u{2066}a\u{2069}\u{200F}\u{61C}", "\u{FFFD}a\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("\u{FEFF}a\u{FFF9}b\u{E0041}", "\u{FFFD}a\u{FFFD}b\u{FFFD}"),
    ("a\u{206A}b\u{206F}c\u{E00FF}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
  ])
  func `replaces what could act on the terminal`(_ text: String, _ line: String) {
    #expect(HarmlessText.line(text).unicodeScalars.elementsEqual(line.unicodeScalars))
  }

  @Test(arguments: ["\u{301}", "\u{FE0F}", "\u{E0101}", "\u{20DD}", "\u{301}\u{200D}"])
  func `leaves out what would pile up on a letter`(mark: String) {
    let stack = String(repeating: mark, count: 500)

    let line = HarmlessText.line("a\(stack)b\(mark)")

    let marks = line.unicodeScalars.count { $0.properties.generalCategory != .format } - 2
    #expect(marks == 11)
    #expect(line.unicodeScalars.contains("b"))
    #expect(line.unicodeScalars.reversed().starts(with: mark.unicodeScalars.reversed()))
  }
}
