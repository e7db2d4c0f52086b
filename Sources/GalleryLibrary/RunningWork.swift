internal import Workers

/// Work in a task of its own, whose events an iterator hands on.
///
/// When the task that iterates is cancelled, the work is stopped, and the iterator waits for its end: whatever the work
/// was storing is then stored whole, or not at all. It is also stopped when its events can no longer be asked for.
struct RunningWork<Event: Sendable> {
  typealias Tell = @Sendable (Event) -> Void

  private var events: AsyncStream<Event>.AsyncIterator
  private let work: RunningWorks.Work
  private let stop: StopRequest
  private var hasEnded = false

  /// Begins the work of a library, which returns the reason of a failure.
  init(
    of library: RunningWorks,
    _ body: @escaping @Sendable (@escaping Tell, StopRequest) async -> LibraryError?
  ) {
    let stop = StopRequest()
    let (events, teller) = AsyncStream.makeStream(of: Event.self)
    teller.onTermination = { _ in stop.make() }
    self.events = events.makeAsyncIterator()
    self.stop = stop
    work = library.begin(stop) {
      let failure = library.isClosed ? .closed : await body({ teller.yield($0) }, stop)
      teller.finish()
      return failure
    }
  }

  mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(LibraryError) -> Event? {
    if hasEnded { return nil }
    if let event = await events.next(isolation: actor) { return event }
    hasEnded = true
    stop.make()
    if let failure = await work.value { throw failure }
    if Task.isCancelled { throw .cancelled }
    return nil
  }
}

/// The work of a library that has not ended, so that closing the library ends it.
final class RunningWorks: Sendable {
  typealias Work = Task<LibraryError?, Never>

  private struct State {
    var running: [ObjectIdentifier: (stop: StopRequest, work: Work)] = [:]
    var isClosed = false
  }

  private let state = Locked(State())

  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Begins work, which a request can stop; it has to look whether the library is closed.
  func begin(_ stop: StopRequest, _ body: @escaping @Sendable () async -> LibraryError?) -> Work {
    let id = ObjectIdentifier(stop)
    return state.withLock { state in
      let work = Work { [self] in
        let failure = await body()
        self.state.withLock { $0.running[id] = nil }
        return failure
      }
      state.running[id] = (stop, work)
      return work
    }
  }

  /// Closes the library: stops all work, and waits for its end.
  func end() async {
    let running = state.withLock { state in
      state.isClosed = true
      return Array(state.running.values)
    }
    for (stop, _) in running { stop.make() }
    for (_, work) in running { _ = await work.value }
  }
}
