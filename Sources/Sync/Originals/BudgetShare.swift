import Workers

/// The bytes that one response has taken of a budget and not used yet.
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

/// The room that an original takes while it arrives: of the disk, of which a sync leaves some free, and of what the
/// library may take.
struct DiskRoom {
  /// How many bytes may come before the disk is checked again, which others fill, too.
  private static let bytesBetweenChecks = 8 << 20
  /// How much room a body of undeclared length has ahead of it.
  private static let bytesAhead = 2 << 20

  /// Knows the disk.
  let store: any FeedStoring
  /// The file, for which others give way.
  let file: any OriginalWriting
  /// Whether some of the disk must stay free.
  let isKept: Bool
  /// As in `OriginalWriting.makeRoom`.
  let isAhead: Bool
  /// How many bytes were here at the last check.
  private(set) var checkedAt = 0
  /// How many bytes have room; all of them when the length is declared.
  private(set) var made = 0

  /// Makes room for a body, before any of it comes; nil for an undeclared length.
  mutating func make(for declared: Int?, behind received: Int) async throws(Failure) {
    try await checkDisk(for: declared ?? 0, behind: received)
    try await make(received + (declared ?? Self.bytesAhead))
    if declared != nil { made = .max }
  }

  /// Checks and makes room again when many bytes have come since.
  mutating func makeMore(behind received: Int) async throws(Failure) {
    if received - checkedAt >= Self.bytesBetweenChecks {
      try await checkDisk(for: 0, behind: received)
    }
    if made - received < Self.bytesAhead / 2 { try await make(received + Self.bytesAhead) }
  }

  private mutating func checkDisk(for bytes: Int, behind received: Int) async throws(Failure) {
    checkedAt = received
    guard isKept else { return }
    try await Failure.ofStore(await store.checkRoom(for: bytes))
  }

  private mutating func make(_ bytes: Int) async throws(Failure) {
    try await Failure.ofStore(await file.makeRoom(for: bytes, isAhead: isAhead))
    made = bytes
  }
}
