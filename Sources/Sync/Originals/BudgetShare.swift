import Workers

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

/// The room that is left of the disk while an original arrives, of which a sync leaves some free.
struct DiskRoom {
  /// How many bytes may come before it is checked again: others fill the disk, too.
  private static let bytesBetweenChecks = 8 << 20

  private let store: any FeedStoring
  private let isKept: Bool
  /// How many bytes were here at the last check.
  private var checkedAt = 0

  /// - Parameters:
  ///   - store: Knows the disk.
  ///   - isKept: Whether some of the disk must stay free; the room is not checked otherwise.
  init(of store: any FeedStoring, isKept: Bool) {
    self.store = store
    self.isKept = isKept
  }

  /// Checks that so many bytes more leave it free.
  mutating func check(for bytes: Int, behind received: Int) async throws(Failure) {
    checkedAt = received
    guard isKept else { return }
    do { try await store.checkRoom(for: bytes) } catch { throw .store(error) }
  }

  /// Checks it again when many bytes have come since.
  mutating func checkAgain(behind received: Int) async throws(Failure) {
    guard received - checkedAt >= Self.bytesBetweenChecks else { return }
    try await check(for: 0, behind: received)
  }
}
