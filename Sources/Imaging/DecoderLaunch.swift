internal import CLinux
import Glibc
import Workers

/// How the program is started: with its end of the connection as standard input, nothing to write
/// to, no other open file, and next to no environment.
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

  /// Where libraries are, if the user says so; and no attempt of Swift's to explain a crash, which
  /// would start a program.
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

  /// Signals as a new program expects them, and a process group of its own: Ctrl-C is a wish to
  /// the program, which goes on with the pictures at hand.
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
