import Testing

@testable import FeedFormats

struct PlainTextTests {
  @Test(arguments: [
    ("Plain", "Plain"),
    ("  two \n\t words  ", "two words"),
    ("AT&amp;T &lt;live&gt;", "AT&T <live>"),
    ("caf&eacute; &#8211; &#x263A; &hellip;", "café – ☺ …"),
    ("it&#146;s", "it’s"),
    ("a&nbsp;b\u{A0}c\u{2028}d", "a b c d"),
    ("<p>One</p><p>Two</p>", "One Two"),
    ("in<b>sep</b>arable", "inseparable"),
    ("a<br/>b<img src='x.png'>c", "a b c"),
    ("<script>alert('<p>')</script>after", "after"),
    ("before<!-- a > b -->after", "beforeafter"),
    ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
    ("generic <T> type", "generic <T> type"),
    ("R&D & fun &unknown; &#x110000;", "R&D & fun &unknown; &#x110000;"),
    ("Ünï 猫 🐈", "Ünï 猫 🐈"),
    ("<p> </p>", nil),
    (" ", nil),
  ])
  func `makes one line of plain text`(markup: String, line: String?) {
    #expect(PlainText.line(of: markup, limit: 1000) == line)
  }

  @Test func `cuts long text between characters`() {
    #expect(PlainText.line(of: "aaaé", limit: 4) == "aaa")
    #expect(PlainText.line(of: "aaaé", limit: 5) == "aaaé")
  }

  @Test func `cuts long text without a space at the end`() {
    #expect(PlainText.line(of: "aaa bbb", limit: 4) == "aaa")
    #expect(PlainText.line(of: "aaa b", limit: 5) == "aaa b")
  }
}
