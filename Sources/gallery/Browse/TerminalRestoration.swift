import Glibc
import Synchronization
import Terminal

/// Gives the terminal back as it was, on every way out: the end of the command, `exit`, a second signal, a crash.
///
/// A handler of signals may use it: it calls only write(2) and tcsetattr(3), which are on the list of
/// signal-safety(7), and takes no memory and no lock.
enum TerminalRestoration {
  /// The address of the settings to restore; 0 when there is nothing to do.
  private static let settings = Atomic<UInt>(0)
  /// What ends a process that has a mistake in it.
  private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]
  /// Once for the process: handlers stay.
  private static let handlers: Void = {
    atexit { TerminalRestoration.run() }
    for crash in crashes {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { signal in
        TerminalRestoration.run()
        // The handler is reset, so that this one ends the process (sigaction(2), SA_RESETHAND).
        raise(signal)
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND.magnitude)) | SA_NODEFER
      sigaction(crash, &action, nil)
    }
  }()

  /// Remembers the settings of standard input.
  ///
  /// - Returns: Nil when it is no terminal.
  static func arm() -> termios? {
    var current = termios()
    guard tcgetattr(STDIN_FILENO, &current) == 0 else { return nil }
    // It is never given back: a signal may come at any time.
    let memory = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    memory.initialize(to: current)
    settings.store(UInt(bitPattern: memory), ordering: .sequentiallyConsistent)
    _ = handlers
    return current
  }

  /// Restores the terminal; a second time has no effect.
  static func run() {
    let address = settings.exchange(0, ordering: .sequentiallyConsistent)
    guard let memory = UnsafeMutablePointer<termios>(bitPattern: address) else { return }
    _ = write(STDOUT_FILENO, TerminalMode.leave.utf8Start, TerminalMode.leave.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSANOW, memory)
  }
}
