import Dispatch
package import Foundation
import Glibc
package import Threading

/// The checkout that the tests were built from.
package enum Checkout {
  package static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of a feed with twelve photographs.
  package static let demoFeed = folder.appending(path: "Scripts/demo-feed/feed.xml").path

  /// The words of a set that occur in the Swift code, found with grep(1).
  package static func wordsInCode(_ words: Set<String>) throws -> Set<String> {
    if words.isEmpty { return [] }
    let grep =
      ["/usr/bin/grep", "-rhowF", "--include=*.swift"] + words.flatMap { ["-e", $0] }
      + ["Sources", "Tests", "Fuzzing", "Package.swift"].map { folder.appending(path: $0).path }
    let found = String(decoding: try ChildProcess.run(grep).output, as: UTF8.self)
    return Set(found.split(separator: "\n").map(String.init))
  }

  package static func text(of path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }
}

/// A folder in the system's temporary folder, deleted with its owner.
package final class ScratchFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/gallery-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension ChildProcess {
  /// Kills the process after ten minutes, so that a test that hangs fails with its name.
  package func endInTime() -> ChildProcess {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(600)) { self.send(9) }
    return self
  }

  /// Waits until no process has a file open for writing.
  ///
  /// A program that another test is just starting has a copy of every open file for a moment (posix_spawn(3)). Until it
  /// closes a file that was written, the file cannot be run (execve(2), ETXTBSY) or leased (fcntl(2)), and inotify(7) does
  /// not report that it was closed.
  package static func waitForWriters(of path: String) {
    // `F_SETLEASE`, which Swift's Glibc module lacks.
    let setLease: Int32 = 1_024
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    while fcntl(descriptor, setLease, F_RDLCK) != 0 && errno == EAGAIN { sched_yield() }
    close(descriptor)
  }
}
