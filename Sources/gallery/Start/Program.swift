import Foundation
import Glibc
import Logging
import Terminal

/// What a process finds when it starts: its own path, its streams, its logger.
enum Program {
  /// The path of the running program, links resolved (proc(5)).
  static var path: String {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      return CommandLine.arguments.first ?? ""
    }
  }

  static var workingFolder: String { FileManager.default.currentDirectoryPath }

  /// Logs to standard error; nil unless `--verbose` asks for it.
  static func logger(isVerbose: Bool) -> Logger? {
    guard isVerbose else { return nil }
    var logger = Logger(label: "gallery") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .debug
    return logger
  }

  /// The standard streams as a console.
  ///
  /// Writing to a closed pipe must not kill a sync, so the signal
  /// is ignored and the sink decides.
  static func console(isQuiet: Bool, whenOutputClosed: OutputClosed) -> Console {
    signal(SIGPIPE, SIG_IGN)
    let options = Console.Options(
      outputColumns: TerminalWindow(descriptor: STDOUT_FILENO)?.columns,
      errorColumns: TerminalWindow(descriptor: STDERR_FILENO)?.columns,
      isQuiet: isQuiet
    )
    return Console(
      options: options,
      output: DescriptorSink(STDOUT_FILENO) { whenOutputClosed.happen() },
      errors: DescriptorSink(STDERR_FILENO) {}
    )
  }
}
