import Foundation
import Glibc
import Models
import Workers

/// Opens pictures with the program that the desktop has for them (xdg-open(1)).
struct PictureViewer: PictureOpening {
  private static let program = "xdg-open"
  /// POSIX_SPAWN_SETSID of <spawn.h> (glibc 2.26), which Swift does not see.
  private static let newSession: Int16 = 0x80

  func open(_ original: StoredOriginal) throws(OpeningError) {
    guard original.info.format != .svg else { throw .activeContent(original.info.format) }
    guard let path = path(of: Self.program) else { throw .noProgram(name: Self.program) }
    try start(path, [Self.program, original.path])
  }

  /// The path of a program, as a shell finds it; it skips empty folders in `PATH`, which mean the current one.
  private func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// Starts it in a session of its own, without our streams, because it may outlive the terminal.
  private func start(_ path: String, _ arguments: [String]) throws(OpeningError) {
    var attributes = posix_spawnattr_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    var usual = sigset_t()
    sigfillset(&usual)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGDEF))
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, &attributes, &words, environ)
    guard code == 0 else {
      throw .cannotStart(name: Self.program, message: String(cString: strerror(code)))
    }
  }
}
