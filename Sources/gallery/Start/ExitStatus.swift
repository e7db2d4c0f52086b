import ArgumentParser
import Scenes

/// The exit statuses of the program.
enum ExitStatus {
  static func code(of outcome: Outcome) -> ExitCode {
    switch outcome {
    case .done: ExitCode(0)
    case .failed: ExitCode(1)
    case .partly: ExitCode(2)
    case .notFound: ExitCode(3)
    case .unavailable, .outdated: ExitCode(4)
    case .misused: ExitCode(64)
    }
  }

  /// The exit status after a signal, as in shells (POSIX.1-2017, Shell, section 2.8.2).
  static func code(afterSignal signal: Int32) -> ExitCode { ExitCode(128 + signal) }
}
