import ArgumentParser
import Glibc
import Logging
import Scenes
import Terminal

/// The streams of the process, and its log.
enum Program {
  /// A logger to standard error; nil without `--verbose`.
  static func logger(isVerbose: Bool) -> Logger? {
    guard isVerbose else { return nil }
    return Logger(label: "gallery") { _ in HarmlessLogHandler() }
  }

  /// Standard output.
  ///
  /// It ignores the signals of a closed pipe and of the user's limit on files (setrlimit(2)), so that
  /// such a write fails and does not end the program.
  static func standardOutput(whenClosed: @escaping @Sendable () -> Void) -> DescriptorSink {
    for failedWrite in [SIGPIPE, SIGXFSZ] { signal(failedWrite, SIG_IGN) }
    return DescriptorSink(STDOUT_FILENO, whenClosed: whenClosed)
  }

  /// The standard streams as a console.
  static func console(
    _ options: CommonOptions,
    output: DescriptorSink,
    environment: [String: String]
  ) -> Console {
    let options = Console.Options(
      outputColumns: TerminalWindow(descriptor: STDOUT_FILENO)?.columns,
      errorColumns: TerminalWindow(descriptor: STDERR_FILENO)?.columns,
      currentColumns: { TerminalWindow(descriptor: STDERR_FILENO)?.columns },
      hasStyles: TerminalEnvironment(environment).hasStyles,
      isQuiet: options.quiet,
      isVerbose: options.verbose
    )
    return Console(options: options, output: output, errors: DescriptorSink(STDERR_FILENO) {})
  }

  /// Ends the process quietly, for a command with no other work than output that nothing reads any more.
  static let endQuietly: @Sendable () -> Void = { exit(EXIT_SUCCESS) }
}

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

  /// The status after a signal, as shells count (POSIX.1-2017, Shell, section 2.8.2).
  static func code(afterSignal signal: Int32) -> ExitCode { ExitCode(128 + signal) }
}

/// A log on standard error: a line for each message, made harmless for a terminal.
struct HarmlessLogHandler: LogHandler {
  var logLevel = Logger.Level.debug
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let line = "gallery: \(HarmlessText.line("\(event.message)"))\n"
    DescriptorSink(STDERR_FILENO) {}.write(Array(line.utf8))
  }
}
