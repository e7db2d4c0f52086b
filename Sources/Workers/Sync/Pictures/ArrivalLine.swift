/// What arrives from any thread for one reader, who takes all that is there at a time.
final class ArrivalLine<Arrival: Sendable>: Sendable {
  private typealias Reader = CheckedContinuation<[Arrival], Never>

  private struct State: Sendable {
    var arrivals: [Arrival] = []
    /// Who waits for the next arrival; nil while nobody does.
    var reader: Reader?
  }

  private let state = Locked(State())

  func put(_ arrival: Arrival) {
    let reader = state.withLock { state -> Reader? in
      if state.reader == nil { state.arrivals.append(arrival) }
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: [arrival])
  }

  /// What has arrived since the last time, at least one; waits for it.
  func next() async -> [Arrival] {
    await withCheckedContinuation { reader in
      let arrivals = state.withLock { state in
        if state.arrivals.isEmpty { state.reader = reader }
        defer { state.arrivals = [] }
        return state.arrivals
      }
      if !arrivals.isEmpty { reader.resume(returning: arrivals) }
    }
  }
}
