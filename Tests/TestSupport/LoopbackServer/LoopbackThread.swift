import Glibc

/// Runs a closure on a thread of its own, which may block as long as it likes.
enum LoopbackThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, main, Unmanaged.passRetained(Work(body)).toOpaque())
    guard status == 0 else { fatalError("pthread_create: \(String(cString: strerror(status)))") }
    pthread_detach(thread)
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    blockPipeSignal()
    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }

  /// A client that hangs up must not end the tests: OpenSSL writes without MSG_NOSIGNAL.
  private static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
