#if THREAD_SANITIZER
/// Tells the thread sanitizer that the uses of a lock come one after another.
///
/// The sanitizer does not see that, because `Mutex` waits in code of the toolchain that was built
/// without it. It would report a race where there is none.
enum ThreadSanitizer {
  static func enter(_ lock: AnyObject) { acquire(Unmanaged.passUnretained(lock).toOpaque()) }

  static func leave(_ lock: AnyObject) { release(Unmanaged.passUnretained(lock).toOpaque()) }

  // From the sanitizer's interface (compiler-rt, sanitizer/tsan_interface.h), which no module
  // declares.
  @_silgen_name("__tsan_acquire")
  private static func acquire(_ address: UnsafeMutableRawPointer)

  @_silgen_name("__tsan_release")
  private static func release(_ address: UnsafeMutableRawPointer)
}
#endif
