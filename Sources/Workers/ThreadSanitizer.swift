#if THREAD_SANITIZER
/// Tells the thread sanitizer that what was done in a lock comes before what is done in it next.
///
/// It cannot see that by itself: where threads wait for each other, `Mutex` works in code of the
/// toolchain that was built without it, and what is right would be reported as a race.
enum ThreadSanitizer {
  static func enter(_ lock: AnyObject) { acquire(Unmanaged.passUnretained(lock).toOpaque()) }

  static func leave(_ lock: AnyObject) { release(Unmanaged.passUnretained(lock).toOpaque()) }

  // Of the sanitizer's own interface (compiler-rt, sanitizer/tsan_interface.h), which no module has.
  @_silgen_name("__tsan_acquire")
  private static func acquire(_ address: UnsafeMutableRawPointer)

  @_silgen_name("__tsan_release")
  private static func release(_ address: UnsafeMutableRawPointer)
}
#endif
