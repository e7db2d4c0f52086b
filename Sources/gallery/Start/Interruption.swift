import ArgumentParser
import Dispatch
import Glibc
import Workers

/// Turns the first SIGINT, SIGTERM or SIGHUP into a stop request; a second one ends the program at
/// once.
final class Interruption {
  /// What the commands hand to their scenes.
  let stop: StopRequest
  private let state: InterruptionState
  private let sources: [any DispatchSourceSignal]

  init() {
    let state = InterruptionState()
    self.state = state
    stop = state.stop
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { signal in
      Self.source(signal) { state.receive(signal) }
    }
  }

  var isReceived: Bool { state.signal != nil }

  /// Ends the command with the signal's status when one came, else with nothing.
  func check() throws {
    if let signal = state.signal { throw ExitCode(ExitStatus.status(afterSignal: signal)) }
  }

  /// A source for a signal, unless whoever started us wants it ignored, as nohup(1) does.
  private static func source(
    _ signal: Int32,
    _ handle: @escaping @Sendable () -> Void
  ) -> (any DispatchSourceSignal)? {
    var action = sigaction()
    sigaction(signal, nil, &action)
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    if handler == unsafeBitCast(SIG_IGN, to: Int.self) { return nil }
    Glibc.signal(signal, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: signal)
    source.setEventHandler(handler: handle)
    source.activate()
    return source
  }
}
