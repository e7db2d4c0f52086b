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
