/// What was wrong with a document, each thing once and never without bound.
struct Warnings {
  private(set) var all: [String] = []

  mutating func add(_ warning: String) {
    guard all.count < FormatLimits.warnings, !all.contains(warning) else { return }
    all.append(warning)
  }
}
