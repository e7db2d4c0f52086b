import DecoderFrames
import Dispatch
import Threading
import Workers

/// A picture that waits for a decoder, and the caller that waits for the answer.
final class DecoderJob: Sendable {
  typealias Answering = CheckedContinuation<Result<DecoderAnswer, ImagingError>, Never>

  private enum State: Sendable {
    case new
    case waiting(Answering)
    case done(Result<DecoderAnswer, ImagingError>)
  }

  let task: DecoderTask
  let picture: PictureSource
  private let state = Locked(State.new)

  init(task: DecoderTask, picture: PictureSource) {
    self.task = task
    self.picture = picture
  }

  /// Whether the job has its result, so that a decoder need not begin it.
  var isOver: Bool {
    state.withLock { state in
      if case .done = state { true } else { false }
    }
  }

  /// Sets the caller that waits; resumes it at once if the job already has a result.
  func begin(_ continuation: Answering) {
    let result = state.withLock { state -> Result<DecoderAnswer, ImagingError>? in
      if case .done(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let result { continuation.resume(returning: result) }
  }

  /// Sets the result and resumes the caller; only the first result counts.
  func finish(_ result: Result<DecoderAnswer, ImagingError>) {
    let continuation = state.withLock { state -> Answering? in
      if case .done = state { return nil }
      defer { state = .done(result) }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: result)
  }
}

/// A first-in, first-out queue of jobs, and the threads that take them.
///
/// When no thread is idle, a job starts another one, up to the limit. A thread stays until the
/// queue closes, because a decoder ends with the thread that started it.
final class JobQueue: Sendable {
  private struct State: Sendable {
    var jobs: [DecoderJob] = []
    var threads: [JoinableThread] = []
    var idle = 0
    var isClosed = false
    /// Actions that interrupt the decoders at work, by numbers that the queue gives out.
    var interruptions: [Int: @Sendable () -> Void] = [:]
    var lastInterruption = 0
  }

  private let limit: Int
  private let work: @Sendable (JobQueue) -> Void
  private let state = Locked(State())
  /// Counts the waiting jobs and, once the queue is closed, the threads that have to end.
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
        state.threads.append(JoinableThread { [self] in work(self) })
      }
      return true
    }
    if isTaken { available.signal() } else { job.finish(.failure(.cancelled)) }
  }

  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Waits for the next job; nil when the thread has to end.
  func next() -> DecoderJob? {
    state.withLock { $0.idle += 1 }
    available.wait()
    return state.withLock { state in
      state.idle -= 1
      return state.isClosed || state.jobs.isEmpty ? nil : state.jobs.removeFirst()
    }
  }

  /// Registers an action that interrupts a decoder.
  ///
  /// - Returns: The number with which to remove the action; nil when the queue is closed.
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

  /// Ends all jobs and decoders, and returns when all threads have ended.
  func close() {
    let isUsed = state.withLock { state in
      state.isClosed = true
      return !state.threads.isEmpty
    }
    // Most commands decode nothing. They skip the rest, whose first call costs time to load code.
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
