import Foundation
import Glibc
import TestSupport
import Threading

/// The built program, run as a whole.
struct Program {
  /// What one run came to; the status is as a shell has it.
  struct Result: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The folder of the library; it need not exist.
  let library: String
  /// Where relative paths begin.
  var workingFolder = FileManager.default.temporaryDirectory.path

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
    let (output, errors) = (try ChildProcess.pipe(), try ChildProcess.pipe())
    let process = try ChildProcess(
      ["/usr/bin/env", "-C", workingFolder, executable] + arguments,
      environment: environment,
      output: output.writer,
      errors: errors.writer
    )
    for file in [output.writer, errors.writer] { close(file) }
    return RunningProgram(
      process: process.endInTime(),
      output: FileHandle(fileDescriptor: output.reader, closeOnDealloc: true),
      errors: FileHandle(fileDescriptor: errors.reader, closeOnDealloc: true)
    )
  }

  /// Reads what is left to read, and waits for the end.
  func finish(_ running: RunningProgram) throws -> Result {
    let errors = running.readErrors()
    let output = running.output.readDataToEndOfFile()
    return Result(
      status: running.process.wait(),
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

/// A folder for one test's library, gone with the test.
final class TestLibrary {
  let folder: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
  }

  /// Syncs a feed, with further arguments.
  convenience init(syncing arguments: String...) throws {
    try self.init()
    _ = try program.finish(program.start(["sync"] + arguments))
  }

  deinit {
    // A folder that stays behind in the system's temporary one harms no test.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The library's place inside: it does not exist until the program makes it.
  var path: String { "\(folder)/library" }

  /// The program with this library, at work in the folder.
  var program: Program { Program(library: path, workingFolder: folder) }
}
