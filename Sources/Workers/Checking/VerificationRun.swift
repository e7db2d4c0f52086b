/// A running verification; if it is stopped, the next one continues from there.
package typealias VerificationRun = FactRun<CheckFact, Locked<VerificationCounts>>

/// The options of a verification.
package struct VerificationPlan: Sendable, Equatable {
  /// Whether damaged data is fetched or made again.
  package var isRepairing: Bool
  /// Whether it starts from the beginning, and not where an earlier one was interrupted.
  package var restarts: Bool

  package init(isRepairing: Bool = false, restarts: Bool = false) {
    self.isRepairing = isRepairing
    self.restarts = restarts
  }
}

/// The numbers of things that a verification has checked and found.
package struct VerificationCounts: Sendable, Equatable {
  /// Thumbnails that were checked.
  package var thumbnails = 0
  /// Originals whose files were read.
  package var originals = 0
  /// Objects whose presence in the object store was checked.
  package var objects = 0
  package var damaged = 0
  package var missing = 0
  /// Files that nothing refers to.
  package var strays = 0
  /// Those of them that have the names of originals, which a repair may take back.
  package var strayOriginals = 0
  /// Things that could not be read.
  package var unreadable = 0
  /// Damaged or missing pictures that were restored.
  package var repaired = 0
  /// Damaged or missing pictures that were not restored, and that a repair does not restore, by what hinders it.
  package var ofRemovedFeeds = 0
  package var ofLostFiles = 0
  package var notFetched = 0

  package init() {}

  /// Whether stored data is lost or wrong.
  package var hasDamage: Bool { damaged + missing + unreadable > 0 }

  /// Damaged or missing pictures that a repair does not restore.
  package var unrepairable: Int { ofRemovedFeeds + ofLostFiles + notFetched }

  package mutating func add(_ obstacle: RepairObstacle) {
    switch obstacle {
    case .removedFeed: ofRemovedFeeds += 1
    case .lostFile: ofLostFiles += 1
    case .failed: notFetched += 1
    }
  }

  package mutating func add(_ condition: CheckFinding.Condition) {
    switch condition {
    case .damaged: damaged += 1
    case .missing: missing += 1
    case .stray: strays += 1
    case .unreadable: unreadable += 1
    }
  }
}

/// The position that a verification has reached, from which the next one continues.
package struct VerificationMark: Sendable, Equatable {
  /// The image whose thumbnail was checked last; 0 at the beginning.
  package var thumbnail: Int64
  /// The row of the original that was checked last; 0 at the beginning.
  package var original: Int64

  package init(thumbnail: Int64 = 0, original: Int64 = 0) {
    self.thumbnail = thumbnail
    self.original = original
  }

  /// Whether nothing has been checked yet.
  package var isAtStart: Bool { thumbnail == 0 && original == 0 }
}
