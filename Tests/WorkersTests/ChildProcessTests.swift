import Foundation
import Glibc
import Testing
import Threading
import Workers

@Suite(.timeLimit(.minutes(60)))
struct ChildProcessTests {
  @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143)] as [(String, Int32)])
  func `tells how a program ended, as a shell does`(script: String, status: Int32) throws {
    let process = try ChildProcess(["/bin/sh", "-c", script])

    #expect(process.wait() == status)
    #expect(process.wait() == status)
  }

  @Test func `a program that is not there is not started`() {
    #expect(throws: ChildProcess.Failure.self) { try ChildProcess(["/nowhere"]) }
  }

  @Test func `a program reads all that it is given, and what it writes comes back`() throws {
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: 300_000)

    let ended = try ChildProcess.run(["/bin/sh", "-c", "wc -c; exit 3"], reading: text)

    #expect(ended.status == 3)
    #expect(String(decoding: ended.output, as: UTF8.self) == "300000\n")
  }

  @Test func `a program that reads nothing ends nevertheless`() throws {
    // The programs do the same when they start.
    signal(SIGPIPE, SIG_IGN)
    let text = [UInt8](repeating: 0, count: 300_000)

    #expect(try ChildProcess.run(["/bin/true"], reading: text).status == 0)
  }

  @Test func `a program that ends is not kept by what it leaves with its unread input`() throws {
    signal(SIGPIPE, SIG_IGN)
    let text = [UInt8](repeating: 0, count: 300_000)
    let leader = Locked<Int32?>(nil)
    // Shells give a background command no input of their own.
    let script = "exec 3<&0; sleep 7200 & exit 4"

    let ended = try ChildProcess.run(
      ["/bin/sh", "-c", script],
      reading: text,
      output: STDERR_FILENO
    ) { process in leader.withLock { $0 = process.identifier } }

    #expect(ended.status == 4)
    // It is in the program's process group.
    let group = try #require(leader.withLock { $0 })
    #expect(kill(-group, SIGKILL) == 0)
  }

  @Test func `a program that reads its input late gets all of it`() throws {
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: 300_000)

    let ended = try ChildProcess.run(["/bin/sh", "-c", "sleep 0.3; wc -c"], reading: text)

    #expect(String(decoding: ended.output, as: UTF8.self) == "300000\n")
  }

  @Test func `a program that reads nothing ends by a signal of another thread`() throws {
    signal(SIGPIPE, SIG_IGN)
    let text = [UInt8](repeating: 0, count: 300_000)

    let ended = try ChildProcess.run(["/bin/sh", "-c", "exec sleep 7200"], reading: text) {
      $0.send(SIGTERM)
    }

    #expect(ended.status == 128 + SIGTERM)
  }

  @Test func `a program has no file of this process, however many that has`() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let most = min(Int(limit.rlim_cur) - 200, 1_500)
    let files = (0..<most).compactMap { _ in
      let file = open("/dev/null", O_RDONLY)
      return file >= 0 ? file : nil
    }
    defer { for file in files { close(file) } }

    let ended = try ChildProcess.run(["/bin/sh", "-c", "ls /proc/self/fd | wc -l"])

    // The three standard streams, and the folder that `ls` reads.
    #expect(String(decoding: ended.output, as: UTF8.self) == "4\n")
  }

  @Test func `a signal reaches what a program has started, too`() throws {
    let (reader, writer) = try ChildProcess.pipe()
    let process = try ChildProcess(["/bin/sh", "-c", "sleep 60 & echo; wait"], output: writer)
    close(writer)
    var byte: UInt8 = 0
    _ = read(reader, &byte, 1)

    process.send(SIGKILL)

    #expect(process.wait() == 137)
    // The pipe ends when its last writer closes it.
    #expect(read(reader, &byte, 1) == 0)
    close(reader)
  }

  @Test func `one that was let go leaves nothing behind`() async throws {
    let process = try ChildProcess(["/bin/true"], isApart: true)

    process.letGo()

    // A process keeps its number until its parent has waited for it.
    while kill(process.identifier, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(errno == ESRCH)
  }
}
