import Foundation
import Glibc
import Logging
import Terminal
import Workers

/// What a process finds when it starts: its own path, its streams, its logger.
enum Program {
  private static let kept = Locked<[any AnyObject & Sendable]>([])

  /// The path of the running program, links resolved (proc(5)).
  static var path: String {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      return CommandLine.arguments.first ?? ""
    }
  }

  /// The user's folder, as the system's list of users has it; nil for a user who is not in it.
  static var home: String? {
    // A process of one thread asks: nobody else overwrites what the system gives.
    getpwuid(getuid()).flatMap { user in user.pointee.pw_dir.map { String(cString: $0) } }
  }

  static var workingFolder: String { FileManager.default.currentDirectoryPath }

  /// Some variables of the environment, as far as they are set (getenv(3)); the whole of it takes
  /// longer to read than a page of a list.
  static func environment(_ names: [String]) -> [String: String] {
    var environment: [String: String] = [:]
    // Nothing in this program sets a variable, so that what is found stays while it is copied.
    for name in names { environment[name] = getenv(name).map { String(cString: $0) } }
    return environment
  }

  /// Keeps something to the end of the process, where the system closes what it holds.
  ///
  /// That is for those whose files need no last word, as a reader: taking its connection apart takes as
  /// long as reading an image.
  static func keep(_ object: any AnyObject & Sendable) {
    kept.withLock { $0.append(object) }
  }

  /// Ends the process.
  ///
  /// What libraries do at the end of a process (atexit(3)) takes apart what the system takes back anyhow,
  /// for as long as reading an image takes. A debug build goes through it, where sanitizers look for
  /// what was never given back.
  static func end(_ status: Int32) -> Never {
    #if DEBUG
    exit(status)
    #else
    fflush(nil)
    _exit(status)
    #endif
  }

  /// Logs to standard error; nil unless `--verbose` asks for it.
  static func logger(isVerbose: Bool) -> Logger? {
    guard isVerbose else { return nil }
    return Logger(label: "gallery") { _ in HarmlessLogHandler() }
  }

  /// Standard output.
  ///
  /// A write to a closed pipe, or past the length that the user's limit allows a file
  /// (setrlimit(2)), must fail and not end the program: the signals are ignored.
  static func standardOutput(whenClosed: OutputClosed) -> DescriptorSink {
    for failedWrite in [SIGPIPE, SIGXFSZ] { signal(failedWrite, SIG_IGN) }
    return DescriptorSink(STDOUT_FILENO) { whenClosed.happen() }
  }

  /// The standard streams as a console.
  static func console(
    isQuiet: Bool,
    isVerbose: Bool,
    output: DescriptorSink
  ) -> Console {
    let options = Console.Options(
      outputColumns: TerminalWindow(descriptor: STDOUT_FILENO)?.columns,
      errorColumns: TerminalWindow(descriptor: STDERR_FILENO)?.columns,
      currentColumns: { TerminalWindow(descriptor: STDERR_FILENO)?.columns },
      hasStyles: TerminalEnvironment(environment(TerminalEnvironment.styleVariables)).hasStyles,
      isQuiet: isQuiet,
      isVerbose: isVerbose
    )
    return Console(
      options: options,
      output: output,
      errors: DescriptorSink(STDERR_FILENO) {}
    )
  }
}
