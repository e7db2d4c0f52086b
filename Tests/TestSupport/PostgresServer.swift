import Foundation
import Glibc

/// A PostgreSQL server for all tests of a process, made with the first that asks for it, and deleted at the end.
///
/// It listens to a socket alone, and keeps nothing safe from a power cut.
package final class PostgresServer: Sendable {
  /// The folder with its socket.
  package let folder: String

  package static let shared: Result<PostgresServer, any Error> = Result { try PostgresServer() }

  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private init() throws {
    folder = "/tmp/gallery-postgres-\(getpid())"
    try Self.makeFolder(folder)
    let made = try Self.run(
      [try Self.program("initdb"), "-D", "\(folder)/data", "-U", "gallery", "-A", "trust", "-N"]
        + ["-E", "UTF8", "--locale=C.UTF-8"],
      output: "\(folder)/log"
    )
    guard Self.status(of: made) == 0 else {
      throw Failure(description: "initdb failed: \(folder)/log")
    }
    let settings = [
      "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off",
      "max_connections=500", "shared_buffers=64MB", "listen_addresses=", "max_wal_senders=0",
      "wal_level=minimal", "max_locks_per_transaction=1024",
      "unix_socket_directories=\(folder)", "unix_socket_permissions=0777",
    ]
    let server = [try Self.program("postgres"), "-D", "\(folder)/data"]
    // It ends with this process, however that ends: then nobody has the other end of the shell's input.
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(description: "no pipe can be made") }
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    let script = """
      folder=$1; shift; "$@" & read -r _; kill -QUIT $!; wait; rm -r "$folder"
      """
    let process = try Self.run(
      ["/bin/sh", "-c", script, "sh", folder] + server + settings.flatMap { ["-c", $0] },
      input: ends[0],
      output: "\(folder)/log"
    )
    close(ends[0])
    let deadline = ContinuousClock.now + .seconds(120)
    while access("\(folder)/.s.PGSQL.5432", F_OK) != 0 {
      guard ContinuousClock.now < deadline, waitpid(process, nil, WNOHANG) == 0 else {
        throw Failure(description: "the server did not start: \(folder)/log")
      }
      usleep(20_000)
    }
  }

  /// The address of the database `postgres`, where tables go into a schema.
  package func address(schema: String) -> String {
    let socket = folder.replacingOccurrences(of: "/", with: "%2F")
    return "postgresql://gallery@\(socket)/postgres?options=-csearch_path%3D\(schema)"
  }

  /// Runs SQL as an operator would.
  package func execute(_ sql: String) throws {
    let psql = try Self.run(
      ["/usr/bin/psql", "-q", "-h", folder, "-U", "gallery", "-d", "postgres", "-c", sql],
      output: "\(folder)/psql"
    )
    guard Self.status(of: psql) == 0 else { throw Failure(description: "psql failed: \(sql)") }
  }

  // MARK: Processes

  /// A folder of the user that the server runs as, who cannot be root.
  private static func makeFolder(_ path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    guard mkdir(path, 0o755) == 0 else { throw Failure(description: "mkdir failed: \(path)") }
    if geteuid() == 0 {
      guard let user = getpwnam("postgres") else {
        throw Failure(description: "there is no user 'postgres'")
      }
      chown(path, user.pointee.pw_uid, user.pointee.pw_gid)
    }
  }

  /// The newest one that is installed (postgresql-common keeps each version apart).
  private static func program(_ name: String) throws -> String {
    let root = "/usr/lib/postgresql"
    let versions = try? FileManager.default.contentsOfDirectory(atPath: root).compactMap { Int($0) }
    guard let version = versions?.max() else {
      throw Failure(description: "PostgreSQL is not installed")
    }
    return "\(root)/\(version)/bin/\(name)"
  }

  /// Starts a program with posix_spawn(3): Foundation's `Process` fails where many files are open.
  private static func run(
    _ arguments: [String],
    input: Int32? = nil,
    output: String
  ) throws -> pid_t {
    var arguments = arguments
    if geteuid() == 0 {
      let user = ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
      arguments = ["/usr/bin/setpriv"] + user + ["--"] + arguments
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o666)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    try closeOthers(&actions)
    // The thread may hold back the signals by which a shell hears of its children.
    var (attributes, none) = (posix_spawnattr_t(), sigset_t())
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process = pid_t()
    let code = posix_spawn(&process, arguments[0], &actions, &attributes, &pointers, environ)
    guard code == 0 else { throw Failure(description: "\(arguments[0]): error \(code)") }
    return process
  }

  /// Has the program get none of this process's files, whose other ends would wait for it.
  ///
  /// Swift's module of glibc lacks the function (glibc 2.34).
  private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) throws {
    typealias Function =
      @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
      throw Failure(description: "glibc is older than 2.34")
    }
    _ = unsafeBitCast(symbol, to: Function.self)(&actions, 3)
  }

  private static func status(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
