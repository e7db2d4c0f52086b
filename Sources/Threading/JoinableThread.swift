import CLinux
import Glibc
import Workers

/// A thread that runs one closure and can be joined.
///
/// It is for code that blocks for long, or that a system call ties to one thread. Tasks with such code would occupy or
/// change the threads that they all share.
package final class JoinableThread: Sendable {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Nil once it has been joined.
  private let thread: Locked<pthread_t?>

  /// Starts the thread; the program ends if the system cannot create it.
  package init(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let status = pthread_create(&thread, nil, Self.main, work.toOpaque())
    guard status == 0 else {
      fatalError("no thread can be started: \(String(cString: strerror(status)))")
    }
    self.thread = Locked(thread)
  }

  /// Waits until the closure has returned; further calls return immediately.
  package func join() {
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

  /// Blocks all signals in this thread except those of crashes, so that other threads receive them.
  ///
  /// In particular, a peer that closes a connection must not end the program by SIGPIPE, which libcurl does not block
  /// for TLS libraries.
  private static func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    // A blocked signal of a crash would end the program without its handler, which restores the terminal.
    for crash in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] { sigdelset(&all, crash) }
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}
