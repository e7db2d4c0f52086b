/// What a verification has looked at and found.
package struct VerificationCounts: Sendable, Equatable {
  /// Thumbnails that were looked at.
  package var thumbnails = 0
  /// Originals whose files were read.
  package var originals = 0
  package var damaged = 0
  package var missing = 0
  /// Files that nothing refers to.
  package var strays = 0
  /// Things that could not be looked at.
  package var unreadable = 0
  /// Damaged or missing pictures that are right again.
  package var repaired = 0

  package init() {}

  /// Whether something stored is lost or wrong.
  package var hasDamage: Bool { damaged + missing + unreadable > 0 }

  mutating func add(_ condition: CheckFinding.Condition) {
    switch condition {
    case .damaged: damaged += 1
    case .missing: missing += 1
    case .stray: strays += 1
    case .unreadable: unreadable += 1
    }
  }
}
