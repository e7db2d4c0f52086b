import Workers

@testable import Terminal

/// The answers of a terminal to queries about its features, mixed with keys that the user types.
struct TerminalAnswersTarget: FuzzTarget {
  let name = "terminal"
  let dictionary = "terminal"
  let seeds: [Seed] = [
    .text("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}]11;rgb:0000/80/f\u{7}\u{1B}[6;18;9t\u{1B}[4;756;999t"),
    .text("\u{1B}[?62;4c\u{1B}[?2;0;1000;800S"), .text("q\u{1B}[A\u{1B}OP\u{1B}"),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let answers = TerminalAnswers(input)
    try require(answers.attributes.allSatisfy { (0...65_535).contains($0) }, "\(answers)")
    for size in [answers.cell, answers.textArea, answers.largestSixel].compactMap(\.self) {
      let sides = 1...65_535
      try require(sides.contains(size.width) && sides.contains(size.height), "a size of \(size)")
    }
    // This answer ends the wait, whatever bytes come before it.
    let last = TerminalAnswers(input + "\u{1B}[?62;4c".utf8)
    try requireEqual(last.attributes, [62, 4], "the attributes behind anything")
    try requireEqual(last.cell, answers.cell, "a cell")
    try requireEqual(last.background, answers.background, "a background")
  }
}
