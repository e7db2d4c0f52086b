/// How many bytes of originals one run may fetch, over all of its feeds.
package final class TransferBudget: Sendable {
  private let left: Locked<Int?>

  /// Takes the bytes; nil for as many as there are.
  package init(bytes: Int?) { left = Locked(bytes) }

  /// Whether nothing more may be fetched.
  package var isSpent: Bool { left.withLock { $0.map { $0 <= 0 } ?? false } }

  /// Takes bytes that are about to be fetched.
  ///
  /// - Returns: false, and takes nothing, when fewer are left.
  package func take(_ bytes: Int) -> Bool {
    left.withLock { left in
      guard let available = left else { return true }
      guard available >= bytes else { return false }
      left = available - bytes
      return true
    }
  }

  /// Gives back bytes that were taken and not fetched.
  package func giveBack(_ bytes: Int) {
    left.withLock { left in left = left.map { $0 + bytes } }
  }
}

/// A budget is itself and no other, however much is left of it.
extension TransferBudget: Equatable {
  package static func == (one: TransferBudget, other: TransferBudget) -> Bool { one === other }
}

/// What one response has taken of a budget and not used yet.
struct BudgetShare {
  /// How many bytes a body of undeclared length takes at a time.
  private static let piece = 1 << 20

  private let budget: TransferBudget?
  private var unused = 0

  /// Takes a declared length as a whole, before any of it comes; nothing when none is declared.
  init(of budget: TransferBudget?, declared length: Int?) throws(Failure) {
    self.budget = budget
    try take(length ?? 0)
  }

  /// Uses bytes that have come; takes more when they were not declared.
  mutating func use(_ count: Int) throws(Failure) {
    if count > unused { try takeMore(count - unused) }
    unused -= count
  }

  /// Gives back what has not been used.
  mutating func giveBack() {
    budget?.giveBack(unused)
    unused = 0
  }

  /// A piece, or where so much is not left, what is needed now.
  private mutating func takeMore(_ count: Int) throws(Failure) {
    do {
      try take(max(count, Self.piece))
    } catch {
      try take(count)
    }
  }

  private mutating func take(_ count: Int) throws(Failure) {
    guard budget?.take(count) != false else { throw .overBudget }
    unused += count
  }
}
