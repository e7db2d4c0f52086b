import ArgumentParser
import Dispatch
import Glibc
import Workers

/// Turns the first SIGINT, SIGTERM or SIGHUP into a stop request; a second one ends the program at
/// once.
///
/// Made by a command before it does anything else, and once, for signals belong to the process.
final class Interruption {
  /// What the commands hand to their scenes.
  let stop: StopRequest
  private let source: (any DispatchSourceRead)?

  /// Begins to listen; where the system has no pipe left, signals keep their usual effect.
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

  /// Ends the command with the signal's status when one came, else with nothing.
  func check() throws {
    guard let signal = SignalPipe.received else { return }
    throw ExitCode(ExitStatus.status(afterSignal: signal))
  }
}
