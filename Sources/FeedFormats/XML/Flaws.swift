import Workers

/// What was wrong with a document, each thing once and never without bound.
struct Flaws {
  private(set) var all: [DocumentFlaw] = []

  init(_ flaws: [DocumentFlaw] = []) {
    for flaw in flaws { add(flaw) }
  }

  /// Adds one; each is told once.
  mutating func add(_ flaw: DocumentFlaw) {
    guard all.count < FormatLimits.flaws, !all.contains(flaw) else { return }
    all.append(flaw)
  }

  /// Whether nothing that was noted cost an image.
  var isLossless: Bool { all.allSatisfy(\.isHarmless) }

  /// What a document is called damaged for; nil when nothing is wrong.
  var worst: DocumentFlaw? { all.first { !$0.isHarmless } ?? all.first }
}
