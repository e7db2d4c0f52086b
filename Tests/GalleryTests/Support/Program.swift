import Foundation
import Glibc
import Testing

/// The built program, run as a whole.
struct Program {
  /// What one run came to.
  struct Result: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The folder of the library; it need not exist.
  let library: String
  /// Where relative paths begin.
  var workingFolder = FileManager.default.temporaryDirectory.path

  /// Lets the program hear the signals that tests send: whoever runs the tests in the background may
  /// have them ignored, and that is inherited (POSIX.1-2017, Shell, section 2.11).
  private static let hearSignals: Void = {
    for signal in [SIGINT, SIGTERM, SIGHUP] { Glibc.signal(signal, SIG_DFL) }
  }()

  /// The program lies beside the tests that were built with it.
  static var path: String {
    let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: "gallery").path
  }

  /// Runs it with arguments, to its end.
  @discardableResult
  func run(_ arguments: String...) throws -> Result {
    try finish(start(arguments))
  }

  /// Runs a line of shell in which `gallery` is the program.
  func shell(_ line: String) throws -> Result {
    try finish(start(["-c", line], executable: "/bin/sh"))
  }

  /// Starts it and comes back at once.
  func start(_ arguments: [String], executable: String = path) throws -> RunningProgram {
    Self.hearSignals
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: workingFolder)
    process.environment = environment
    let running = RunningProgram(process: process)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = running.output
    process.standardError = running.errors
    try process.run()
    return running
  }

  /// Reads what is left to read, and waits for the end.
  func finish(_ running: RunningProgram) throws -> Result {
    let errors = running.readErrors()
    let output = running.output.fileHandleForReading.readDataToEndOfFile()
    running.process.waitUntilExit()
    let status = running.process.terminationStatus
    let isKilled = running.process.terminationReason == .uncaughtSignal
    return Result(
      status: isKilled ? 128 + status : status,
      output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors(), as: UTF8.self)
    )
  }

  private var environment: [String: String] {
    let folder = URL(filePath: Self.path).deletingLastPathComponent().path
    let own = [
      "GALLERY_CACHE": library, "HOME": library, "PATH": "\(folder):/usr/bin:/bin",
      "XDG_CONFIG_HOME": "\(workingFolder)/.config", "LC_ALL": "C.UTF-8",
    ]
    return own.merging(Self.sanitizerOptions) { own, _ in own }
  }

  /// What sanitizers are told, which the program is built with when the tests are (Scripts/sanitize).
  private static let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    $0.key.hasSuffix("SAN_OPTIONS") || $0.key.hasSuffix("SAN_SYMBOLIZER_PATH")
  }
}
