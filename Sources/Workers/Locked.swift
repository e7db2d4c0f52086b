import Synchronization

/// A value behind a lock; only this type of the project uses the lock itself.
package final class Locked<Value: ~Copyable & Sendable>: Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs `body` with the value, while no other thread can use it.
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

extension Locked where Value: Copyable {
  /// A copy of the current value.
  package var snapshot: Value { withLock { $0 } }
}

#if THREAD_SANITIZER
/// Tells the thread sanitizer that the uses of a lock come one after another.
///
/// The sanitizer does not see that, because `Mutex` waits in code of the toolchain that was built without it. It would
/// report races that do not exist.
enum ThreadSanitizer {
  static func enter(_ lock: AnyObject) { acquire(Unmanaged.passUnretained(lock).toOpaque()) }

  static func leave(_ lock: AnyObject) { release(Unmanaged.passUnretained(lock).toOpaque()) }

  // From the sanitizer's interface (compiler-rt, sanitizer/tsan_interface.h), which is not declared in any module.
  @_silgen_name("__tsan_acquire")
  private static func acquire(_ address: UnsafeMutableRawPointer)

  @_silgen_name("__tsan_release")
  private static func release(_ address: UnsafeMutableRawPointer)
}
#endif
