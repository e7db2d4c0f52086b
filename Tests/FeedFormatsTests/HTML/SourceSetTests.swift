import Testing

@testable import FeedFormats

struct SourceSetTests {
  @Test(
    arguments: [
      ("a.jpg 300w, b.jpg 600w", ["a.jpg 300", "b.jpg 600"]),
      ("a.jpg?w=1,2 300w,b.jpg 600w", ["a.jpg?w=1,2 300", "b.jpg 600"]),
      ("a.jpg, b.jpg 2x", ["a.jpg 640", "b.jpg 1280"]),
      ("  ,a.jpg ,", ["a.jpg 640"]),
      ("a,b.jpg 1.5x", ["a,b.jpg 960"]),
      ("a.jpg 20h 30w", ["a.jpg 30"]),
      ("a.jpg nonsense, b.jpg -1w", ["a.jpg 640", "b.jpg 640"]),
      ("", []),
      (",,,", []),
    ] as [(String, [String])]
  )
  func `reads addresses and how wide their pictures are`(text: String, sizes: [String]) {
    let candidates = SourceSet.candidates(in: text, shownAt: nil)

    #expect(candidates.map { "\($0.reference) \($0.longerSide ?? 0)" } == sizes)
  }

  @Test func `multiplies the width that the page shows by the density`() {
    let candidates = SourceSet.candidates(in: "a.jpg 1x, b.jpg 2x", shownAt: 300)

    #expect(candidates.map(\.width) == [300, 600])
  }

  @Test func `looks at no more than a page has use for`() {
    let text = String(repeating: "a.jpg 1w, ", count: 1000)

    #expect(SourceSet.candidates(in: text, shownAt: nil).count == 64)
  }
}
