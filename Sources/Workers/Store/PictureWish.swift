package import FoundationEssentials

/// Which of a feed's pictures a sync wants to be offered.
package struct PictureWish: Sendable, Equatable {
  package var now: Date
  /// Whether those that are stored and right are wanted, too.
  package var all: Bool
  /// Whether those are offered that have failed so lately that they would be held back.
  package var retriesFailed: Bool

  package init(now: Date, all: Bool = false, retriesFailed: Bool = false) {
    self.now = now
    self.all = all
    self.retriesFailed = retriesFailed
  }
}
