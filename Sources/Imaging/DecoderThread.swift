internal import CLinux
import Glibc
import Workers

/// A thread that starts decoders and talks to them.
final class DecoderThread: Sendable {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// nil once somebody has joined it.
  private let thread: Locked<pthread_t?>

  init(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let status = pthread_create(&thread, nil, Self.main, work.toOpaque())
    guard status == 0 else {
      fatalError("no thread for decoders: \(String(cString: strerror(status)))")
    }
    self.thread = Locked(thread)
  }

  /// Waits until the closure has returned; a second call returns at once.
  func join() {
    let taken = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let taken { pthread_join(taken, nil) }
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    // Signals are for other threads.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }
}
