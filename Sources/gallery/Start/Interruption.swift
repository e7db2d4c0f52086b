import Composition
import Dispatch
import Glibc
import Synchronization
import Workers

/// Turns the first SIGINT, SIGTERM or SIGHUP into a stop request; a second one ends the program immediately.
///
/// A command creates one before anything else, and only once, because signals belong to the process.
final class Interruption {
  /// The request for scenes.
  let stop: StopRequest
  private let source: (any DispatchSourceRead)?

  /// Starts listening; signals keep their usual effect when a pipe cannot be made.
  init() {
    let stop = StopRequest()
    self.stop = stop
    source = SignalPipe.open().map { readEnd in
      let source = DispatchSource.makeReadSource(fileDescriptor: readEnd)
      source.setEventHandler {
        SignalPipe.drain(readEnd)
        stop.make()
      }
      source.activate()
      return source
    }
  }

  var isReceived: Bool { SignalPipe.received != nil }

  /// Whether a service was asked to reload its settings; a terminal sends the same signal when it is closed.
  var isReload: Bool { SignalPipe.received == SIGHUP && SystemdNotification.isService }

  /// Ends the command with the signal's status if there was a signal.
  func check() throws {
    guard let signal = SignalPipe.received else { return }
    throw ExitStatus.code(afterSignal: signal)
  }
}

/// A pipe from the signal handler, which may do very little, to a thread that may do everything.
///
/// See signal-safety(7), "self-pipe". No signal after `open` is lost: it is in `first` and in the pipe. A signal before
/// `open` ends the program as usual; the program has not started any work by then.
enum SignalPipe {
  // A handler interrupts any code of this program, on any thread. It may use these values, because they are atomic and
  // no larger than a machine word, and so need no lock. Swift initialises a global at its first use, under a lock.
  // `open` uses all of them before it installs a handler, so each later use is only a load.
  private static let first = Atomic<Int32>(0)
  private static let writeEnd = Atomic<Int32>(-1)
  private static let isTerminal = Atomic<Bool>(false)

  /// The first signal; nil before it.
  static var received: Int32? {
    let signal = first.load(ordering: .sequentiallyConsistent)
    return signal == 0 ? nil : signal
  }

  /// Installs the handlers.
  ///
  /// - Returns: The end to read from, which has a byte after a signal; nil when a pipe cannot be made.
  static func open() -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard received == nil, pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    // Also initialises its global values, as described above.
    TerminalRestoration.run()
    isTerminal.store(isatty(STDERR_FILENO) == 1, ordering: .sequentiallyConsistent)
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) { handle(signal) }
    return ends[0]
  }

  /// Empties the pipe, so that it is not readable any more.
  static func drain(_ readEnd: Int32) {
    var byte: UInt8 = 0
    while read(readEnd, &byte, 1) > 0 {}
  }

  /// Whether the parent process has set a signal to be ignored, as nohup(1) does.
  static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Installs the handler with SA_RESTART, so that the system resumes interrupted calls.
  private static func handle(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { SignalPipe.receive($0) }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  /// The signal handler.
  ///
  /// It calls only write(2), tcsetattr(3) and _exit(2), which are on the list of signal-safety(7). It neither allocates
  /// memory nor takes a lock, and preserves `errno`. If two threads receive signals at the same time, the exchange
  /// determines which one is the first.
  private static func receive(_ signal: Int32) {
    let isFirst = first.compareExchange(
      expected: 0,
      desired: signal,
      ordering: .sequentiallyConsistent
    ).exchanged
    guard isFirst else { end(after: signal) }
    let code = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    // This cannot fail, because the pipe is empty.
    _ = write(writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = code
  }

  /// Ends the program, and erases the status line before the prompt.
  private static func end(after signal: Int32) -> Never {
    TerminalRestoration.run()
    let erase: StaticString = "\r\u{1B}[K"
    if isTerminal.load(ordering: .sequentiallyConsistent) {
      _ = write(STDERR_FILENO, erase.utf8Start, erase.utf8CodeUnitCount)
    }
    _exit(128 + signal)
  }
}
