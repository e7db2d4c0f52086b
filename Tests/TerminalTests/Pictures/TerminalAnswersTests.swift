import Testing
import Workers

@testable import Terminal

/// Answers of real terminals: kitty 0.26.5, xterm 379, mlterm 3.9.0, tmux 3.3a, screen 4.9.0.
struct TerminalAnswersTests {
  @Test func `reads kitty's`() {
    let answers = answers(
      "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[6;18;9t\u{1B}[4;756;999t"
        + "\u{1B}[?62;c"
    )

    #expect(answers.hasKittyGraphics)
    #expect(!answers.hasSixel)
    #expect(answers.attributes == [62, 0])
    #expect(answers.cell == PixelSize(width: 9, height: 18))
    #expect(answers.textArea == PixelSize(width: 999, height: 756))
    #expect(answers.background == .black)
  }

  @Test func `reads xterm's, as itself and as a VT340`() {
    let colour = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\"
    let itself = answers(colour + "\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c")
    let sixel = answers(colour + "\u{1B}[?63;1;2;4;6;9;15;16;22;28c")

    #expect(!itself.hasSixel)
    #expect(sixel.hasSixel)
    #expect(sixel.background == .white)
    #expect(sixel.cell == nil)
    #expect(!itself.hasKittyGraphics)
    #expect(answers("\u{1B}[?2;3S\u{1B}[?64;1;2c").largestSixel == nil)
    let largest = answers("\u{1B}[?2;0;1000;800S\u{1B}[?63;1;2;4c").largestSixel
    #expect(largest == PixelSize(width: 1000, height: 800))
  }

  @Test func `reads mlterm's`() {
    let answers = answers(
      "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[6;19;10t\u{1B}[4;456;800t"
        + "\u{1B}[?63;1;2;3;4;6;7;15;18;22;29c"
    )

    #expect(answers.hasSixel)
    #expect(answers.cell == PixelSize(width: 10, height: 19))
  }

  @Test func `reads what screen gives in another order`() {
    let answers = answers("\u{1B}[?1;2c\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")

    #expect(answers.attributes == [1, 2])
    #expect(!answers.hasSixel)
    #expect(answers.background == .white)
  }

  @Test func `does not take a terminal's class for an attribute`() {
    #expect(!answers("\u{1B}[?4c").hasSixel)
    #expect(answers("\u{1B}[?6c").attributes == [6])
  }

  @Test(arguments: [
    ("rgb:1/8/f", RGBColour(red: 17, green: 136, blue: 255)),
    ("rgb:12/34/56", RGBColour(red: 0x12, green: 0x34, blue: 0x56)),
    ("rgb:123/456/789", RGBColour(red: 18, green: 69, blue: 120)),
    ("rgb:1e1e/2020/ffff", RGBColour(red: 0x1E, green: 0x20, blue: 0xFF)),
  ])
  func `reads colours of any precision`(text: String, colour: RGBColour) {
    #expect(answers("\u{1B}]11;\(text)\u{7}").background == colour)
  }

  @Test(arguments: [
    "", "\u{1B}", "\u{1B}[", "\u{1B}[?", "\u{1B}[?62;4", "\u{1B}[?62;x4c", "\u{1B}[?c",
    "\u{1B}[?;4c", "\u{1B}[62;4c",
    "\u{1B}[?62;99999999999999999999c", "\u{1B}[?-4c", "\u{1B}[6;0;9t", "\u{1B}[6;9t",
    "\u{1B}[6;18;9", "\u{1B}]11;rgb:ffff/ffff\u{1B}\\", "\u{1B}]11;rgb:fffff/0/0\u{1B}\\",
    "\u{1B}]11;rgb:+f/-0/0\u{1B}\\", "\u{1B}]11;red\u{7}", "\u{1B}]11;rgb:0/0/0",
    "\u{1B}_Gi=31;ENOENT:no\u{1B}\\", "\u{1B}_Gi=32;OK\u{1B}\\", "\u{1B}_Gi=31;OK",
    "\u{1B}[?2;0;0;10S", "\u{1B}[?2;0;1000S", "\u{1B}[?1;0;16;16S", "Gi=31;OK", "[?62;4c",
    "ls\n\u{1B}[A\u{1B}OP\u{1B}[3~", "\u{9B}?62;4c", "\u{1B}\u{1B}\u{1B}[[[c",
  ])
  func `takes nothing from rubbish`(text: String) {
    #expect(answers(text) == answers(""))
  }

  @Test func `takes nothing from more rubbish than any answer has`() {
    let numbers = String(repeating: "1;", count: 1000) + "4"

    #expect(answers("\u{1B}[?\(numbers)c") == answers(""))
    #expect(
      answers("\u{1B}_Gi=31;OK" + String(repeating: "O", count: 500) + "\u{1B}\\") == answers("")
    )
  }

  @Test func `finds answers among keys and rubbish`() {
    let answers = answers("q\u{1B}[A\u{1B}]2;title\u{1B}\\x\u{1B}[\u{1B}[?62;4cls\n\u{1B}[6;20;10t")

    #expect(answers.attributes == [62, 4])
    #expect(answers.cell == PixelSize(width: 10, height: 20))
  }

  @Test func `finds an answer behind the escape key`() {
    #expect(answers("\u{1B}\u{1B}[?62;4c").attributes == [62, 4])
    #expect(answers("\u{1B}\u{1B}\u{1B}_Gi=31;OK\u{1B}\\").hasKittyGraphics)
  }

  @Test func `survives any bytes`() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("\u{1B}[]_\\?;:/0123456789rgbGOKctS\u{7}".utf8) + [0x80, 0x9B, 0xFF, 0]
    for _ in 0..<500 {
      let bytes = (0..<64).compactMap { _ in alphabet.randomElement(using: &generator) }
      let answers = TerminalAnswers(bytes)
      #expect(answers.attributes.allSatisfy { (0...65_535).contains($0) })
    }
  }

  private func answers(_ text: String) -> TerminalAnswers { TerminalAnswers(Array(text.utf8)) }
}
