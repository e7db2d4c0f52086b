package import Dispatch
package import Workers

extension DispatchQueue {
  /// Runs blocking work on the queue, so that no thread of Swift's cooperative pool waits for it.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let result = await withCheckedContinuation { waiting in
      async {
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
