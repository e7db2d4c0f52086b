import Foundation
import Glibc
import TestSupport
import Threading

/// The optimised program, run as a whole.
struct Program {
  /// The result of one run; the status is the shell's.
  struct Result: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The folder of the library, which need not exist.
  let library: String
  /// The folder that relative paths begin at.
  var workingFolder = FileManager.default.temporaryDirectory.path

  /// Runs the program with arguments, until it ends.
  @discardableResult
  func run(_ arguments: String...) throws -> Result {
    try finish(start(arguments))
  }

  /// Runs a shell command in which `gallery` is the program.
  func shell(_ line: String) throws -> Result {
    try finish(start(["-c", Self.prelude + line], executable: "/bin/sh"))
  }

  /// SQLite's program reads the user's settings from the home folder that the system knows, whatever HOME says.
  ///
  /// It waits for a program that is writing; by itself it would fail at once.
  private static let prelude =
    "sqlite3() { command sqlite3 -init /dev/null -cmd '.timeout 60000' \"$@\"; }\n"

  /// Starts the program, and returns immediately.
  func start(_ arguments: [String], executable: String? = nil) throws -> RunningProgram {
    let gallery = try Programs.path(of: "gallery")
    let (output, errors) = (try ChildProcess.pipe(), try ChildProcess.pipe())
    let process = try ChildProcess(
      ["/usr/bin/env", "-C", workingFolder, executable ?? gallery] + arguments,
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

  /// Reads the remaining output, and waits for the end.
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
    let own = [
      "GALLERY_CACHE": library, "HOME": library, "PATH": "\(Programs.folder.path):/usr/bin:/bin",
      "XDG_CONFIG_HOME": "\(workingFolder)/.config", "LC_ALL": "C.UTF-8",
    ]
    return own.merging(Self.sanitizerOptions) { own, _ in own }
  }

  /// The options for sanitizers, which the program has if the tests have them (Scripts/sanitize).
  private static let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    $0.key.hasSuffix("SAN_OPTIONS") || $0.key.hasSuffix("SAN_SYMBOLIZER_PATH")
  }
}

/// A folder for the library of one test, deleted after the test.
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
    // A folder that remains in the system's temporary folder does no harm.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The path of the library, which does not exist until the program creates it.
  var path: String { "\(folder)/library" }

  /// The program with this library, which runs in this folder.
  var program: Program { Program(library: path, workingFolder: folder) }
}
