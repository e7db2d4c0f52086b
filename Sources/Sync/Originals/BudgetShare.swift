import Workers

/// The bytes of a budget that one response has taken and not used yet.
struct BudgetShare {
  /// The number of bytes that a body of undeclared length takes at a time.
  private static let piece = 1 << 20

  private let budget: TransferBudget?
  private var unused = 0

  /// Takes a declared length as a whole, before the body arrives; takes nothing if no length is declared.
  init(of budget: TransferBudget?, declared length: Int?) throws(Failure) {
    self.budget = budget
    try take(length ?? 0)
  }

  /// Uses bytes that have arrived, and takes more if the share is used up.
  mutating func use(_ count: Int) throws(Failure) {
    if count > unused { try takeMore(count - unused) }
    unused -= count
  }

  /// Gives the unused bytes back.
  mutating func giveBack() {
    budget?.giveBack(unused)
    unused = 0
  }

  /// Takes a piece, or only the needed bytes if the budget does not have a piece left.
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

/// The room that an original needs while it arrives: on the disk, where a sync leaves some free, and within the
/// library's own limit.
///
/// Other originals give way to bytes that arrive, and never to a length that a server only declares. So a server that
/// declares much and sends little costs little.
struct DiskRoom {
  /// The number of bytes between two checks of the disk, which other programs fill, too.
  private static let bytesBetweenChecks = 8 << 20
  /// The most room that is made ahead of the bytes that have arrived.
  private static let bytesAhead = 2 << 20

  /// Checks the room on the disk.
  let store: any FeedStoring
  /// The file of the original; other originals give way to it.
  let file: any OriginalWriting
  /// Whether some of the disk must stay free.
  let isKept: Bool
  /// As in `OriginalWriting.makeRoom`.
  let purpose: OriginalPurpose
  /// The number of bytes received at the last check.
  private(set) var checkedAt = 0
  /// The number of bytes that have room.
  private(set) var made = 0
  /// The length of the whole; nil if it is not declared.
  private(set) var total: Int?

  /// Checks, before a body arrives, that it can have room; `declared` is nil for an undeclared length.
  mutating func make(for declared: Int?, behind received: Int) async throws(Failure) {
    try await checkDisk(for: declared ?? 0, behind: received)
    total = declared.map { received + $0 }
    try await make(received)
  }

  /// Makes room for bytes that have arrived, before they are written, and for as many again.
  mutating func makeMore(for count: Int, behind received: Int) async throws(Failure) {
    if received - checkedAt >= Self.bytesBetweenChecks {
      try await checkDisk(for: 0, behind: received)
    }
    let needed = received + count
    guard needed > made else { return }
    let ahead = needed + min(needed, Self.bytesAhead)
    do {
      try await make(max(needed, min(ahead, total ?? ahead)))
    } catch {
      // The rest may be shorter than that.
      try await make(needed)
    }
  }

  private mutating func checkDisk(for bytes: Int, behind received: Int) async throws(Failure) {
    checkedAt = received
    guard isKept else { return }
    try await Failure.ofStore(await store.checkRoom(for: bytes))
  }

  private mutating func make(_ bytes: Int) async throws(Failure) {
    made = try await Failure.ofStore(
      await file.makeRoom(for: bytes, of: total, purpose: purpose)
    )
  }
}
