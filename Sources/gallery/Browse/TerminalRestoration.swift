import Glibc
import Synchronization
import Terminal

/// Restores the terminal whenever the program ends: after the command, by `exit`, by any signal that can be handled, or
/// by a crash.
///
/// A signal handler may use it, because it calls only write(2) and tcsetattr(3), which are on the list of
/// signal-safety(7), and neither allocates memory nor takes a lock.
enum TerminalRestoration {
  /// The address of the settings to restore; 0 when there is nothing to restore.
  private static let settings = Atomic<UInt>(0)
  /// The signals that end a process by default, without those that `Interruption` handles (signal(7)).
  private static let ends = [
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM,
    SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGXCPU, SIGXFSZ,
  ]
  /// Installs the handlers, once in each process.
  private static let handlers: Void = {
    atexit { TerminalRestoration.run() }
    for end in ends {
      // A signal that is ignored does not end the process.
      if SignalPipe.isIgnored(end) { continue }
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { signal in
        TerminalRestoration.run()
        // The handler has been reset, so this signal ends the process (sigaction(2), SA_RESETHAND).
        raise(signal)
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND.magnitude)) | SA_NODEFER
      sigaction(end, &action, nil)
    }
  }()

  /// Stores the settings of standard input.
  ///
  /// - Returns: The settings; nil when standard input is not a terminal.
  static func arm() -> termios? {
    var current = termios()
    guard tcgetattr(STDIN_FILENO, &current) == 0 else { return nil }
    // The memory is never freed, because a signal may arrive at any time.
    let memory = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    memory.initialize(to: current)
    settings.store(UInt(bitPattern: memory), ordering: .sequentiallyConsistent)
    _ = handlers
    return current
  }

  /// Restores the terminal; repeated calls have no effect.
  static func run() {
    let address = settings.exchange(0, ordering: .sequentiallyConsistent)
    guard let memory = UnsafeMutablePointer<termios>(bitPattern: address) else { return }
    _ = write(STDOUT_FILENO, TerminalMode.leave.utf8Start, TerminalMode.leave.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSANOW, memory)
  }
}
