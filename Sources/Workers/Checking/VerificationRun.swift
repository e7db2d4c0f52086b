/// A verification that is under way; the next one goes on from where it is stopped.
package typealias VerificationRun = FactRun<CheckFact, Locked<VerificationCounts>>

/// What a verification is asked to do.
package struct VerificationPlan: Sendable, Equatable {
  /// Whether what is damaged is fetched or made again.
  package var isRepairing: Bool
  /// Whether it starts from the beginning, not where an earlier one was interrupted.
  package var restarts: Bool

  package init(isRepairing: Bool = false, restarts: Bool = false) {
    self.isRepairing = isRepairing
    self.restarts = restarts
  }
}

/// What a verification has looked at and found.
package struct VerificationCounts: Sendable, Equatable {
  /// Thumbnails that were looked at.
  package var thumbnails = 0
  /// Originals whose files were read.
  package var originals = 0
  /// Objects that were looked for in the object store.
  package var objects = 0
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

  package mutating func add(_ condition: CheckFinding.Condition) {
    switch condition {
    case .damaged: damaged += 1
    case .missing: missing += 1
    case .stray: strays += 1
    case .unreadable: unreadable += 1
    }
  }
}

/// How far a verification has come, so that an interrupted one is taken up again.
package struct VerificationMark: Sendable, Equatable {
  /// The image whose thumbnail was looked at last; 0 at the beginning.
  package var thumbnail: Int64
  /// The row of the original that was looked at last; 0 at the beginning.
  package var original: Int64

  package init(thumbnail: Int64 = 0, original: Int64 = 0) {
    self.thumbnail = thumbnail
    self.original = original
  }

  /// Whether nothing has been looked at.
  package var isAtStart: Bool { thumbnail == 0 && original == 0 }
}
