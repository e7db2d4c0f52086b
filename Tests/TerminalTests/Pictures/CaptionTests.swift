import Testing

@testable import Terminal

struct CaptionTests {
  @Test func `puts words under pictures, cut to their width`() {
    let line = Caption.line(["1  A heron", "2  A very long title", "3"], columns: 12, gap: 2)

    #expect(line == "1  A heron    2  A very l…  3")
  }

  @Test func `counts wide characters as two columns`() {
    let line = Caption.line(["4  夕焼けの山々", "5"], columns: 10, gap: 2)

    #expect(line == "4  夕焼け…  5")
  }

  @Test func `makes strangers' words harmless`() {
    #expect(
      Caption.line(["6  a\u{1B}[2Jb\nc\u{202E}d"], columns: 20, gap: 2)
        == "6  a\u{FFFD}[2Jb c\u{FFFD}d"
    )
  }

  @Test func `keeps words that run to the left in their place`() {
    let line = Caption.line(["5  שלום", "6  عالم", "7"], columns: 8, gap: 2)

    #expect(line == "\u{200E}5  שלום \u{200E}  \u{200E}6  عالم \u{200E}  7")
  }
}
