import Glibc
import Workers

/// Which signal came first, and the wish to stop that it made.
final class InterruptionState: Sendable {
  let stop = StopRequest()
  private let received = Locked<Int32?>(nil)

  var signal: Int32? { received.withLock { $0 } }

  func receive(_ signal: Int32) {
    let isFirst = received.withLock { received in
      defer { received = received ?? signal }
      return received == nil
    }
    if isFirst { stop.make() } else { _exit(ExitStatus.status(afterSignal: signal)) }
  }
}
