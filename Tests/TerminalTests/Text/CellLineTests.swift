import Testing

@testable import Terminal

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
