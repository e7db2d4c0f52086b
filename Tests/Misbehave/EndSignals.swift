import Glibc

/// The signals that ask the program to end, from now on kept until somebody waits for them.
struct EndSignals {
  private var signals = sigset_t()

  init() {
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    // The threads that are started later inherit it.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for one of them.
  func wait() {
    var (signals, signal) = (signals, Int32(0))
    sigwait(&signals, &signal)
  }
}
