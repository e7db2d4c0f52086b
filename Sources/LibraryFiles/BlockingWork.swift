package import Dispatch
package import Workers

/// Connects code that blocks its thread with asynchronous code, without blocking a thread of Swift's cooperative pool.
package enum BlockingWork {
  /// Blocks this thread until asynchronous work is done; must not be called on the cooperative pool.
  package static func wait<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let (result, isDone) = (Locked<Result<Value, StoreError>?>(nil), DispatchSemaphore(value: 0))
    Task {
      do throws(StoreError) {
        let value = try await work()
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      isDone.signal()
    }
    isDone.wait()
    guard let result = result.withLock({ $0 }) else { preconditionFailure("work without a result") }
    return try result.get()
  }

  /// Runs blocking work on the thread that `start` chooses, and suspends until it is done.
  package static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> Value,
    startedBy start: (@escaping @Sendable () -> Void) -> Void
  ) async throws(StoreError) -> Value {
    let result = await withCheckedContinuation { waiting in
      start {
        do throws(StoreError) {
          waiting.resume(returning: Result<Value, StoreError>.success(try work()))
        } catch {
          waiting.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}

extension DispatchQueue {
  /// Runs work on the queue.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await BlockingWork.run(work) { async(execute: $0) }
  }
}
