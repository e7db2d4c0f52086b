/// What strangers could write to be more than read: on a terminal, in a list, in a line of JSON.
enum TerribleText {
  static let all: [String] = [
    // Colours, a cleared screen, another place (ECMA-48); also as a sequence like our own.
    "\u{1B}[31mred\u{1B}[2J\u{1B}[1;1H\u{1B}[38;5;9;5m",
    // A link, the clipboard, the window's title.
    "\u{1B}]8;;http://evil/\u{1B}\\link\u{1B}]8;;\u{7}", "\u{1B}]52;c;ZXZpbA==\u{7}",
    "\u{1B}]0;title\u{1B}\\",
    // Sixels, a picture of kitty's protocol, a question that the terminal would answer.
    "\u{1B}Pq#0;2;0;0;0\u{1B}\\", "\u{1B}_Ga=T;AAAA\u{1B}\\", "\u{1B}[c\u{1B}[6n\u{5}",
    // The same in one byte each, as ISO 8859-1 has it.
    "\u{9B}31m\u{90}q\u{9C}\u{9D}0;t\u{7}\u{9F}G\u{85}next",
    // A sequence whose parts come in two texts.
    "end\u{1B}", "[2Jbegin", "\u{1B}",
    "over\u{8}\u{8}\u{8}\rforged", "bell\u{7}\u{7F}\u{0}nul\u{E}\u{F}",
    "moon\u{202E}gpj.exe\u{202C}\u{202D}x\u{2066}a\u{2067}b\u{2068}c\u{2069}\u{200F}\u{200E}\u{61C}",
    "a\u{200B}b\u{200C}c\u{200D}d\u{2060}e\u{FEFF}f\u{AD}g\u{206A}h\u{206F}",
    "a\nb\tc\r\nd\u{2028}e\u{2029}f\u{B}g\u{C}h",
    "z" + String(repeating: "\u{301}\u{316}", count: 400),
    "v" + String(repeating: "\u{FE0F}", count: 50) + String(repeating: "\u{E0101}", count: 200),
    "tag\u{E0041}\u{E0042}\u{E007F}\u{E0001}", "\u{FFFE}\u{FFFF}\u{10FFFF}\u{FFF9}\u{FFFB}",
    String(repeating: "月", count: 1500), String(repeating: "A", count: 5000),
    "שלום 12 عالم",
    "\"}\n{\"id\":99,\"title\":\"forged\"}", "\\u001b[31m\\\"\\\\",
    "\"/><outline xmlUrl=\"http://forged/\"/>]]>&lt;script&gt;<b>&#27;[2J&#x9b;2J&amp;#27;",
    "'; DROP TABLE image; --", "%1b%5b2J%00%9b",
    "$(touch pwned) `touch pwned` ${HOME} ; touch pwned",
    "../../../../etc/passwd", "-", "--force", "~", "",
  ]

  /// All of it in one line of text, so far as a line has room.
  static let together = all.filter { $0.utf8.count < 400 }.joined(separator: " ")
}
