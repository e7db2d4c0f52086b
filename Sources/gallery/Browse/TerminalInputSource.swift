import Dispatch
import Glibc
import Terminal
import Workers

/// Passes the user's input at the terminal, and changes of its window, to a receiver.
final class TerminalInputSource {
  /// An event of the terminal.
  enum Event: Sendable {
    case input(TerminalInput)
    case resized
    /// The process was stopped and continued, so another program may have used the screen.
    case continued
    case closed
  }

  /// The longest time between the bytes of one key: a terminal sends them together, but a network may separate them.
  private static let escapeWait = DispatchTimeInterval.milliseconds(50)

  private let sources: [any DispatchSourceProtocol]

  /// Starts reading standard input.
  init(_ receive: @escaping @Sendable (Event) -> Void) {
    let queue = DispatchQueue(label: "gallery.keys")
    let parser = Locked(KeyParser())
    let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    keys.setEventHandler {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      guard count > 0 else {
        keys.cancel()
        return receive(.closed)
      }
      let bytes = Array(buffer[..<count])
      let (inputs, isWaiting) = parser.withLock { ($0.take(bytes), $0.isWaiting) }
      for input in inputs { receive(.input(input)) }
      guard isWaiting else { return }
      queue.asyncAfter(deadline: .now() + Self.escapeWait) {
        for input in parser.withLock({ $0.endWaiting() }) { receive(.input(input)) }
      }
    }
    let resizes = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
    resizes.setEventHandler { receive(.resized) }
    let continuations = DispatchSource.makeSignalSource(signal: SIGCONT, queue: queue)
    continuations.setEventHandler { receive(.continued) }
    sources = [keys, resizes, continuations]
    for source in sources { source.activate() }
  }

  deinit { for source in sources { source.cancel() } }
}
