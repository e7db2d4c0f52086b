import Foundation
import Glibc
import Imaging
import Workers

/// A pool with the decoder that was built with the tests, and the processes it has started.
struct TestPool {
  let pool: ImageDecoderPool
  let started: Locked<[StartedDecoder]>

  init(
    paths: DecoderPaths = built,
    processes: Int = 2,
    secondsPerPicture: Int = 120
  ) {
    let started = Locked<[StartedDecoder]>([])
    self.started = started
    pool = ImageDecoderPool(
      paths: paths,
      processes: processes,
      secondsPerPicture: secondsPerPicture
    ) { decoder in
      started.withLock { $0.append(decoder) }
    }
  }

  /// One for all tests that leave it as it was.
  static let shared = TestPool()

  /// The program lies beside the tests that were built with it.
  static let built: DecoderPaths = {
    let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return DecoderPaths(program: tests.path)
  }()

  var processes: [Int] { started.withLock { $0.map(\.process) } }

  /// The most memory that a process of the pool has had in use, in bytes; 0 for one that is gone.
  var peakMemory: Int {
    processes.map(Self.peak).max() ?? 0
  }

  private static func peak(of process: Int) -> Int {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropLast().last.flatMap { Int($0) }.map { $0 * 1_024 } ?? 0
  }

  /// Whether a process is there, be it one that nobody has waited for.
  static func isThere(_ process: Int) -> Bool { kill(pid_t(process), 0) == 0 }
}
