/// Counts the bytes of one original in a sync's progress while they arrive.
struct ArrivalTally {
  /// How many have been counted.
  private(set) var bytes = 0
  private let progress: SyncProgress
  private var last: Int?

  init(_ progress: SyncProgress) { self.progress = progress }

  /// Takes how many bytes are here; each response begins with what is here before it.
  mutating func note(received: Int) {
    let arrived = max(0, received - (last ?? received))
    last = received
    bytes += arrived
    progress.update { $0.bytes += arrived }
  }
}
