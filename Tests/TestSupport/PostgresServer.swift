import Foundation
import Glibc
import Threading

/// A PostgreSQL server for all tests of a process; the first test that needs it starts it, and the end deletes it.
///
/// It listens only on a socket, unless it has a certificate, and its data would not survive a power cut.
package final class PostgresServer: Sendable {
  /// The folder with its socket.
  package let folder: String

  package static let shared: Result<PostgresServer, any Error> = Result { try PostgresServer() }

  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// The port on 127.0.0.1, if the server has a certificate.
  package let port: Int
  /// Keeps the port for the server until the server listens, and longer.
  private let portKeeper: LoopbackSocket?

  /// Starts the server.
  ///
  /// - Parameter certificate: The certificate for TLS; nil for a server without TCP.
  /// - Throws: when PostgreSQL is missing or does not start.
  package init(certificate: LoopbackCertificate? = nil) throws {
    portKeeper = certificate == nil ? nil : try LoopbackSocket.bound(.ipv4, port: 0)
    port = try portKeeper?.port() ?? 5432
    folder = "/tmp/gallery-postgres-\(getpid())-\(port)"
    try Self.makeFolder(folder)
    let made = try Self.start(
      [try Self.program("initdb"), "-D", "\(folder)/data", "-U", "gallery", "-A", "trust", "-N"]
        + ["-E", "UTF8", "--locale=C.UTF-8"],
      log: "\(folder)/log"
    )
    guard made.wait() == 0 else {
      throw Failure(description: "initdb failed: \(folder)/log")
    }
    let settings = [
      "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off",
      "max_connections=500", "shared_buffers=64MB", "max_wal_senders=0",
      "wal_level=minimal", "max_locks_per_transaction=1024", "port=\(port)",
      // Servers are in any time zone.
      "timezone=Asia/Kathmandu",
      "unix_socket_directories=\(folder)", "unix_socket_permissions=0777",
      "listen_addresses=\(certificate == nil ? "" : "127.0.0.1")",
    ]
    let secure = try certificate.map { try Self.settings(of: $0, in: folder) } ?? []
    let server = [try Self.program("postgres"), "-D", "\(folder)/data"]
    // The server ends with this process, however the process ends: the shell's input then has no writer.
    let (reader, _) = try ChildProcess.pipe()
    let script = """
      folder=$1; shift; "$@" & read -r _; kill -QUIT $!; wait; rm -r "$folder"
      """
    let process = try Self.start(
      ["/bin/sh", "-c", script, "sh", folder] + server
        + (settings + secure).flatMap { ["-c", $0] },
      input: reader,
      log: "\(folder)/log"
    )
    close(reader)
    let deadline = ContinuousClock.now + .seconds(600)
    while try !isReady() {
      guard ContinuousClock.now < deadline, kill(process.identifier, 0) == 0 else {
        throw Failure(description: "the server did not start: \(folder)/log")
      }
      usleep(20_000)
    }
  }

  /// Whether the server takes connections, which it does some time after it has made its socket.
  private func isReady() throws -> Bool {
    guard access("\(folder)/.s.PGSQL.\(port)", F_OK) == 0 else { return false }
    let ready = [try Self.program("pg_isready"), "-q", "-h", folder, "-p", "\(port)"]
    return try Self.start(ready, log: "\(folder)/log").wait() == 0
  }

  /// The address of the database `postgres`, with the tables in a schema.
  package func address(schema: String) -> String {
    let socket = folder.replacingOccurrences(of: "/", with: "%2F")
    return "postgresql://gallery@\(socket)/postgres?options=-csearch_path%3D\(schema)"
  }

  /// Runs SQL, as an operator would.
  package func execute(_ sql: String) throws {
    let psql = try Self.start(
      [try Self.program("psql"), "-X", "-q", "-h", folder, "-U", "gallery", "-d", "postgres"]
        + ["-c", sql],
      log: "\(folder)/psql"
    )
    guard psql.wait() == 0 else { throw Failure(description: "psql failed: \(sql)") }
  }

  // MARK: TLS

  private static func settings(
    of certificate: LoopbackCertificate,
    in folder: String
  ) throws -> [String] {
    let (file, key) = ("\(folder)/server.crt", "\(folder)/server.key")
    certificate.write(to: file, key: key)
    // The server rejects a key that others can read.
    guard chmod(key, 0o600) == 0 else { throw Failure(description: "chmod failed: \(key)") }
    if geteuid() == 0, let user = getpwnam("postgres") {
      chown(key, user.pointee.pw_uid, user.pointee.pw_gid)
    }
    return ["ssl=on", "ssl_cert_file=\(file)", "ssl_key_file=\(key)"]
  }

  // MARK: Processes

  /// Creates a folder for the server's user, who cannot be root.
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

  /// The program of the newest installed version (postgresql-common has a folder for each, and scripts in Perl that
  /// choose among them).
  private static func program(_ name: String) throws -> String {
    let root = "/usr/lib/postgresql"
    let versions = try? FileManager.default.contentsOfDirectory(atPath: root).compactMap { Int($0) }
    guard let version = versions?.max() else {
      throw Failure(description: "PostgreSQL is not installed")
    }
    return "\(root)/\(version)/bin/\(name)"
  }

  /// Starts a program as the server's user.
  private static func start(
    _ command: [String],
    input: Int32? = nil,
    log: String
  ) throws -> ChildProcess {
    let user = ["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
    let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw Failure(description: "cannot write '\(log)'") }
    defer { close(file) }
    return try ChildProcess(
      (geteuid() == 0 ? ["/usr/bin/setpriv"] + user : []) + command,
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"],
      input: input,
      output: file,
      errors: file
    )
  }
}
