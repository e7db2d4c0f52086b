import Glibc
import Workers

/// A thread that runs one closure.
final class LoopThread: Sendable {
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
      fatalError("no thread for transfers: \(String(cString: strerror(status)))")
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
    blockSignals()
    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }

  /// Signals are for other threads; above all a peer that hangs up must not end the program by
  /// SIGPIPE, which libcurl does not keep from TLS libraries of its own accord.
  private static func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}
