import Synchronization

/// A value behind a lock; no other type of the project names the lock itself.
package final class Locked<Value: ~Copyable & Sendable>: Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs `body` with the value, which no other thread can use meanwhile.
  package func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result
  {
    try mutex.withLock { value in
      #if THREAD_SANITIZER
      ThreadSanitizer.enter(self)
      defer { ThreadSanitizer.leave(self) }
      #endif
      return try body(&value)
    }
  }
}
