import Testing

@testable import Terminal

struct KeyParserTests {
  @Test(
    arguments: [
      ("a", [.key(.character("a"))]), ("é漢😀", "é漢😀".map { .key(.character($0)) }),
      ("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D", [.key(.up), .key(.down), .key(.right), .key(.left)]),
      ("\u{1B}[1;5C", [.key(.right)]), ("\u{1B}[5~\u{1B}[6~", [.key(.pageUp), .key(.pageDown)]),
      (
        "\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~",
        [
          .key(.home), .key(.end), .key(.home), .key(.end), .key(.home), .key(.end),
        ]
      ),
      ("\u{1B}/sun", [.key(.escape)] + "/sun".map { .key(.character($0)) }),
      ("\u{1B}\r\u{1B}q", [.key(.escape), .key(.enter), .key(.escape), .key(.character("q"))]),
      ("\r\n\u{7F}\u{08}", [.key(.enter), .key(.enter), .key(.backspace), .key(.backspace)]),
      ("\u{0C}\u{1A}", [.key(.control("l")), .key(.control("z"))]),
      ("\u{1B}[<0;3;2M\u{1B}[<0;3;2m", [.click(column: 2, row: 1)]),
      ("\u{1B}[<64;1;1M\u{1B}[<65;1;1M", [.wheel(-1), .wheel(1)]),
      ("\u{1B}[<0;0;1M\u{1B}[<2;1;1M\u{1B}[<x", []),
      ("\u{1B}[200~q\u{1B}[A\r\u{1B}[201~x", [.paste("q\u{1B}[A\r"), .key(.character("x"))]),
      // A terminal's answer to a query is such a sequence, and is not a key.
      ("\u{1B}[?62;4cq", [.key(.character("q"))]), ("\u{1B}[Zq", [.key(.character("q"))]),
      ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\q", [.key(.character("q"))]),
      ("\u{1B}]11;rgb:ffff/ffff/ffff\u{07}q", [.key(.character("q"))]),
      ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P1$r0m\u{1B}\\q", [.key(.character("q"))]),
      ("\u{1B}]11;rgb\u{1B}[A", [.key(.up)]),
    ] as [(String, [TerminalInput])]
  )
  func `finds keys, in whatever pieces they come`(text: String, inputs: [TerminalInput]) {
    let bytes = Array(text.utf8)

    var whole = KeyParser()
    #expect(whole.take(bytes) == inputs)
    var parts = KeyParser()
    #expect(bytes.flatMap { parts.take([$0]) } == inputs)
  }

  @Test func `an Escape to which nothing follows is the key`() {
    var parser = KeyParser()

    #expect(parser.take([0x1B]) == [])
    #expect(parser.isWaiting)
    #expect(parser.endWaiting() == [.key(.escape)])
    #expect(!parser.isWaiting)
    #expect(parser.endWaiting() == [])
    #expect(parser.take([0x1B, 0x1B]) == [.key(.escape)])
    #expect(parser.endWaiting() == [.key(.escape)])
  }

  @Test func `a sequence that breaks off loses no later key`() {
    var parser = KeyParser()

    #expect(parser.take(Array("\u{1B}[1;".utf8)) == [])
    #expect(parser.endWaiting() == [])
    #expect(parser.take(Array("q".utf8)) == [.key(.character("q"))])
  }

  @Test func `skips bytes that are not UTF-8`() {
    var parser = KeyParser()

    #expect(
      parser.take([0xFF, 0xC3, 0x28, 0xE2, 0x82, 0x61]) == [
        .key(.character("(")), .key(.character("a")),
      ]
    )
  }

  @Test func `a sequence or a paste without an end takes no memory`() {
    var parser = KeyParser()
    _ = parser.take(Array("\u{1B}[".utf8))
    for _ in 0..<1_000 { _ = parser.take(Array("1111111111".utf8)) }
    #expect(!parser.isWaiting)

    _ = parser.take(Array("\u{1B}]".utf8))
    for _ in 0..<1_000 { _ = parser.take(Array("1111111111".utf8)) }
    #expect(!parser.isWaiting)

    var pasting = KeyParser()
    _ = pasting.take(Array("\u{1B}[200~".utf8))
    for _ in 0..<1_000 { _ = pasting.take(Array("1234567890".utf8)) }
    let end = pasting.take(Array("\u{1B}[201~q".utf8))
    #expect(end.count == 2)
    #expect(end.last == .key(.character("q")))
    guard case .paste(let text) = end.first else { return }
    #expect(text.count == 4_096)
  }
}
