import Dispatch
import Workers

/// The jobs that wait, first come, first served, and the threads that take them.
///
/// A thread is started for a job that finds none idle, up to the limit; it stays until the end,
/// because a decoder ends with the thread that started it.
final class JobQueue: Sendable {
  private struct State: Sendable {
    var jobs: [DecoderJob] = []
    var threads: [DecoderThread] = []
    var idle = 0
    var isClosed = false
    /// Makes whoever is at work stop, by the number of the thread.
    var interruptions: [Int: @Sendable () -> Void] = [:]
    var lastInterruption = 0
  }

  private let limit: Int
  private let work: @Sendable (JobQueue) -> Void
  private let state = Locked(State())
  /// Counts the jobs, and at the end the threads that are to go.
  private let available = DispatchSemaphore(value: 0)

  init(limit: Int, work: @escaping @Sendable (JobQueue) -> Void) {
    self.limit = limit
    self.work = work
  }

  func add(_ job: DecoderJob) {
    let isTaken = state.withLock { state in
      guard !state.isClosed else { return false }
      state.jobs.append(job)
      if state.idle < state.jobs.count, state.threads.count < limit {
        let work = self.work
        state.threads.append(DecoderThread { [self] in work(self) })
      }
      return true
    }
    if isTaken { available.signal() } else { job.finish(.failure(.cancelled)) }
  }

  var isClosed: Bool { state.withLock(\.isClosed) }

  /// The next job, waiting for one; nil when the thread is to end.
  func next() -> DecoderJob? {
    state.withLock { $0.idle += 1 }
    available.wait()
    return state.withLock { state in
      state.idle -= 1
      return state.isClosed || state.jobs.isEmpty ? nil : state.jobs.removeFirst()
    }
  }

  /// Notes how a thread that waits for a decoder is made to stop; nil when it is to stop at once.
  func noteInterruption(_ action: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.lastInterruption += 1
      state.interruptions[state.lastInterruption] = action
      return state.lastInterruption
    }
  }

  func forgetInterruption(_ number: Int) {
    state.withLock { state in state.interruptions[number] = nil }
  }

  /// Ends everything, and comes back when all threads have.
  func close() {
    let isUsed = state.withLock { state in
      state.isClosed = true
      return !state.threads.isEmpty
    }
    // Most commands decode nothing, and are not to wait until the rest is ready to run.
    if isUsed { endThreads() }
  }

  private func endThreads() {
    let (jobs, threads, interruptions) = state.withLock { state in
      defer {
        state.jobs = []
        state.threads = []
        state.interruptions = [:]
      }
      return (state.jobs, state.threads, Array(state.interruptions.values))
    }
    for interrupt in interruptions { interrupt() }
    for job in jobs { job.finish(.failure(.cancelled)) }
    for _ in threads { available.signal() }
    for thread in threads { thread.join() }
  }
}
