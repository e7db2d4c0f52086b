internal import CLinux
import Glibc
import Workers

/// The paths at which the decoder program may be.
///
/// The decoder is beside the running program, or in `libexec` of the prefix where that is
/// installed. The search does not use `PATH`, because another user may control its folders.
package struct DecoderPaths: Sendable, Equatable {
  /// The paths in the order of the search.
  package let candidates: [String]

  package init(candidates: [String]) { self.candidates = candidates }

  /// Makes the paths for a program.
  ///
  /// - Parameter program: Its path, with symbolic links resolved.
  package init(program: String) {
    let folder = Self.folder(of: program[...])
    let prefix = Self.folder(of: folder)
    candidates = ["\(folder)/gallery-decoder", "\(prefix)/libexec/gallery/gallery-decoder"]
  }

  package static var ofRunningProgram: DecoderPaths {
    guard let path = realpath("/proc/self/exe", nil) else { return DecoderPaths(candidates: []) }
    defer { free(path) }
    return DecoderPaths(program: String(cString: path))
  }

  /// The first path with an executable file.
  func find() throws(ImagingError) -> String {
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw .noDecoder(lookedAt: candidates)
    }
    return found
  }

  /// The path before the last slash; empty for a file in the root folder.
  private static func folder(of path: Substring) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
  }
}

/// Starts the decoder program.
///
/// The decoder's standard input is its end of the connection, and its output goes to `/dev/null`.
/// It inherits no other descriptor and almost no environment.
enum DecoderLaunch {
  static func start(_ program: String, standardInput: Int32) throws(ImagingError) -> pid_t {
    var pid: pid_t = 0
    let status = withActions(standardInput: standardInput) { actions in
      withAttributes { attributes in
        withStrings([program]) { arguments in
          withStrings(environment) { environment in
            posix_spawn(&pid, program, &actions, &attributes, arguments, environment)
          }
        }
      }
    }
    guard status == 0 else {
      throw .cannotStart(message: "\(program): \(String(cString: strerror(status)))")
    }
    return pid
  }

  /// The user's path for libraries, if any, and a setting that keeps Swift from starting another
  /// program to explain a crash.
  private static var environment: [String] {
    let libraries = getenv("LD_LIBRARY_PATH").map { "LD_LIBRARY_PATH=\(String(cString: $0))" }
    return ["SWIFT_BACKTRACE=enable=no"] + (libraries.map { [$0] } ?? [])
  }

  private static func withActions(
    standardInput: Int32,
    _ body: (inout posix_spawn_file_actions_t) -> Int32
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    clinux_close_from(&actions, STDERR_FILENO + 1)
    return body(&actions)
  }

  /// Default signals and a separate process group: Ctrl-C is meant for the main program, which
  /// still finishes the pictures that it has begun.
  private static func withAttributes(_ body: (inout posix_spawnattr_t) -> Int32) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return body(&attributes)
  }

  private static func withStrings(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
