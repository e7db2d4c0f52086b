import CLinux
import Dispatch
import Glibc
import Workers

/// Another program, started with posix_spawn(3).
///
/// Foundation's `Process` passes on its thread's blocked signals, and fails in a process with more than 1,024 open
/// files. This class starts a program with all signals unblocked, and with only the descriptors that it is given.
package final class ChildProcess: Sendable {
  /// The process id.
  package let identifier: Int32
  private let status = Locked<Int32?>(nil)

  /// The failure to start a program.
  package struct Failure: Error, CustomStringConvertible {
    /// The system's message.
    package let description: String
  }

  /// Starts the program in a new process group.
  ///
  /// - Parameters:
  ///   - command: Its path, and its arguments.
  ///   - environment: Its environment; nil for that of this process.
  ///   - input: Its standard input; nil for /dev/null.
  ///   - output: Its standard output; nil for /dev/null.
  ///   - errors: Its standard error; nil for /dev/null.
  ///   - isApart: Whether it gets a new session, so that it outlives the terminal.
  /// - Throws: when it cannot be started.
  package init(
    _ command: [String],
    environment: [String: String]? = nil,
    input: Int32? = nil,
    output: Int32? = nil,
    errors: Int32? = nil,
    isApart: Bool = false
  ) throws(Failure) {
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, file) in [input, output, errors].enumerated() {
      if let file {
        posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
      }
    }
    _ = clinux_close_from(&actions, 3)
    Self.hearSignals(&attributes, isApart: isApart)
    let words = command.map { strdup($0) } + [nil]
    let variables = environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
    defer { for text in words + (variables ?? []) { free(text) } }
    var identifier = pid_t()
    let code =
      if let variables {
        posix_spawn(&identifier, command[0], &actions, &attributes, words, variables)
      } else {
        posix_spawn(&identifier, command[0], &actions, &attributes, words, environ)
      }
    guard code == 0 else { throw Failure(description: String(cString: strerror(code))) }
    self.identifier = identifier
  }

  /// Resets the signals that the program would inherit as ignored or blocked.
  ///
  /// See POSIX.1-2017, Shell, section 2.11.
  private static func hearSignals(_ attributes: inout posix_spawnattr_t, isApart: Bool) {
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = isApart ? newSession : Int16(POSIX_SPAWN_SETPGROUP)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, flags | group)
  }

  /// POSIX_SPAWN_SETSID of <spawn.h> (glibc 2.26), which is not imported into Swift.
  private static let newSession: Int16 = 0x80

  /// Blocks the thread until the program ends.
  ///
  /// - Returns: The exit status as in a shell: 128 plus the signal's number after a signal.
  @discardableResult
  package func wait() -> Int32 {
    // The process id stays reserved until waitpid(2) reads the status, so `send` never reaches another process.
    var end = siginfo_t()
    while waitid(P_PID, id_t(identifier), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return status.withLock { known in
      if let known { return known }
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
      known = code
      return code
    }
  }

  /// Detaches the program, whose exit status is read and discarded when it ends.
  package func letGo() { DispatchQueue.global().async { self.wait() } }

  /// Sends a signal to its process group, unless its exit status has been read.
  package func send(_ signal: Int32) {
    status.withLock { if $0 == nil { kill(-identifier, signal) } }
  }

  /// Runs a program that reads its whole input before it writes, and waits for its end.
  ///
  /// - Parameters:
  ///   - command: Its path, and its arguments.
  ///   - input: Its standard input.
  ///   - output: Its standard output; nil to return the output.
  ///   - started: Gets the running program, so that others can send it signals.
  /// - Returns: Its exit status, and its output if it is returned.
  /// - Throws: when it cannot be started.
  package static func run(
    _ command: [String],
    reading input: [UInt8] = [],
    output: Int32? = nil,
    started: (ChildProcess) -> Void = { _ in }
  ) throws(Failure) -> (status: Int32, output: [UInt8]) {
    let ends = [try pipe(), try pipe()]
    let (reader, writer) = (ends[1].reader, ends[0].writer)
    defer { close(reader) }
    let process: ChildProcess
    do throws(Failure) {
      defer { for file in [ends[0].reader, ends[1].writer] { close(file) } }
      process = try ChildProcess(
        command,
        input: ends[0].reader,
        output: output ?? ends[1].writer,
        errors: STDERR_FILENO
      )
    } catch {
      close(writer)
      throw error
    }
    started(process)
    process.write(input, to: writer)
    close(writer)
    let written = output == nil ? readAll(reader) : []
    return (process.wait(), written)
  }

  /// Writes the input of the program to a pipe, until the program ends.
  ///
  /// It may end before it has read its whole input, while a program that it has started keeps the pipe open.
  private func write(_ bytes: [UInt8], to file: Int32) {
    _ = fcntl(file, F_SETFL, O_NONBLOCK)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN, !hasEnded {
        var place = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        _ = poll(&place, 1, Self.lookMilliseconds)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// The time between two looks whether a program that reads nothing has ended.
  private static let lookMilliseconds: Int32 = 100

  /// Whether the program has ended; its exit status is still to be read.
  private var hasEnded: Bool {
    // The signal's number stays 0 while the program runs (waitid(2)).
    var end = siginfo_t()
    return waitid(P_PID, id_t(identifier), &end, WEXITED | WNOHANG | WNOWAIT) != 0
      || end.si_signo != 0
  }

  private static func readAll(_ file: Int32) -> [UInt8] {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = read(file, &buffer, buffer.count), count != 0 {
      if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { break }
    }
    return bytes
  }

  /// Makes a pipe that is not inherited by other programs.
  ///
  /// - Returns: Both ends.
  /// - Throws: when the process has too many open files.
  package static func pipe() throws(Failure) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else {
      throw Failure(description: String(cString: strerror(errno)))
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
