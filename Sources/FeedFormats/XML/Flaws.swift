import Workers

/// What was wrong with a document, each thing once and never without bound.
struct Flaws {
  private(set) var all: [DocumentFlaw] = []

  /// Adds one; of markup that is malformed in many lines the first is enough.
  mutating func add(_ flaw: DocumentFlaw) {
    guard all.count < FormatLimits.flaws, !all.contains(flaw) else { return }
    if case .malformedMarkup = flaw, all.contains(where: \.isOfMarkup) { return }
    all.append(flaw)
  }

  /// Whether nothing that was noted cost an image.
  var isLossless: Bool { all.allSatisfy(\.isHarmless) }

  /// What a document is called damaged for; nil when nothing is wrong.
  var worst: DocumentFlaw? { all.first { !$0.isHarmless } ?? all.first }
}

extension DocumentFlaw {
  fileprivate var isOfMarkup: Bool {
    if case .malformedMarkup = self { true } else { false }
  }
}
