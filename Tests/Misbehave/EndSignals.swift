import Glibc

/// The signals that ask the program to end; they are blocked until the program waits for them.
struct EndSignals {
  private var signals = sigset_t()

  init() {
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    // Threads that start later inherit the mask.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for one of the signals.
  func wait() {
    var (signals, signal) = (signals, Int32(0))
    sigwait(&signals, &signal)
  }
}
