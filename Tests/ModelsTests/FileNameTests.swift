import Models
import Testing

/// Names that a hostile feed may choose.
struct FileNameTests {
  static let texts: [(text: String, name: String)] = [
    ("Moon", "Moon"), ("Sea of Clouds, 3.2\u{A0}km", "Sea of Clouds, 3.2 km"),
    ("../../x", "_.._.._x"), ("..", "untitled"), (".", "untitled"), ("", "untitled"),
    ("/etc/passwd", "_etc_passwd"), ("a\\b", "a_b"), ("C:\\x", "C__x"),
    ("CON", "CON_"), ("con.jpg", "con_.jpg"), ("nul .tar.gz", "nul_.tar.gz"),
    ("COM\u{B9}", "COM\u{B9}_"), ("lpt0.png", "lpt0_.png"), ("CONSOLE", "CONSOLE"),
    ("trailing...", "trailing"), ("trailing. . ", "trailing"), ("   ", "untitled"),
    ("two\nlines\r\n", "two lines"), ("a\u{0}b\u{1B}[31mc", "a b [31mc"),
    ("-rf", "_-rf"), ("~root", "_~root"), (".hidden", "_.hidden"),
    ("what? \"why\" <b>*|", "what_ _why_ _b___"),
    ("gnp\u{202E}cod.exe", "gnpcod.exe"), ("\u{FEFF}\u{200B}", "untitled"),
    ("👩‍🚀", "👩‍🚀"), ("Zoë\u{301}", "Zoë\u{301}"), ("line\u{2028}break", "line break"),
  ]

  @Test(arguments: texts)
  func `makes a safe name of a text`(text: String, name: String) {
    #expect(FileName.safe(text) == name)
    #expect(Array(FileName.safe(text).unicodeScalars) == Array(name.unicodeScalars))
    #expect(FileName.safe(name) == name)
  }

  @Test(arguments: [
    String(repeating: "👩‍🚀", count: 400), String(repeating: "e\u{301}", count: 400),
    "x" + String(repeating: "\u{301}", count: 4_000), String(repeating: "a", count: 4_000),
    String(repeating: "a.", count: 2_000), String(repeating: "€ ", count: 400),
  ])
  func `cuts a long text between characters`(text: String) {
    let name = FileName.safe(text)

    #expect(name.utf8.count <= FileName.longestPart)
    #expect(name.utf8.count > FileName.longestPart - 16)
    #expect(text.unicodeScalars.starts(with: name.unicodeScalars))
    if text.unicodeScalars.first != "x" { #expect(text.hasPrefix(name)) }
    #expect(!name.hasSuffix(".") && !name.hasSuffix(" "))
  }

  /// Every Unicode scalar, alone and within a word.
  @Test func `no character makes a name that a file system refuses`() {
    let refused = Set("<>:\"/\\|?*".unicodeScalars)
    // The planes after these contain only characters for private use.
    for value in UInt32(0)..<0x40000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let name = FileName.safe("a\(Character(scalar))")
      let isSafe = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !refused.contains($0) }
      if !isSafe || name.hasSuffix(".") || name.hasSuffix(" ") || name.isEmpty {
        Issue.record("U+\(String(value, radix: 16)) gives '\(name)'")
      }
    }
  }

  @Test(arguments: [
    ("Sky/a.jpg", "sky/A.JPG", true), ("Zo\u{EB}", "Zoe\u{308}", true), ("STRASSE", "straße", true),
    ("Σίσυφος", "ΣΊΣΥΦΟΣ", true), ("a", "b", false), ("a b", "a_b", false),
  ])
  func `names that a file system takes for one have one key`(
    one: String,
    other: String,
    areTwins: Bool
  ) {
    #expect((FileName.key(one) == FileName.key(other)) == areTwins)
  }

  @Test(arguments: [
    ("a.jpg", "a [7].jpg"), ("a", "a [7]"), ("f/b.c.jxl", "f/b.c [7].jxl"),
    ("a.not an ending", "a.not an ending [7]"), ("v1.2/a", "v1.2/a [7]"),
  ])
  func `a mark stands before the ending`(name: String, marked: String) {
    #expect(FileName.adding(" [7]", to: name) == marked)
  }
}
