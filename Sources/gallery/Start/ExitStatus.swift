import ArgumentParser
import Scenes

/// How a command's outcome becomes the program's exit status: the only place that knows the numbers.
enum ExitStatus {
  /// Ends the command with what an outcome comes to.
  static func check(_ outcome: Outcome?) throws {
    let status = status(of: outcome ?? .done)
    if status != 0 { throw ExitCode(status) }
  }

  /// The status after a signal, as shells count (POSIX.1-2017, Shell, section 2.8.2).
  static func status(afterSignal signal: Int32) -> Int32 { 128 + signal }

  static func status(of outcome: Outcome) -> Int32 {
    switch outcome {
    case .done: 0
    case .failed: 1
    case .partly: 2
    case .notFound: 3
    case .unavailable: 4
    case .misused: 64
    }
  }
}
