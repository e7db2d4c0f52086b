import Foundation
import Glibc
import Imaging
import TestSupport
import Testing
import Workers

/// A pool with the optimised decoder, and the processes that it has started.
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

  /// A pool for all tests that do not change its state.
  static let shared = TestPool()

  /// The path of the optimised decoder; without it, the test fails and says so.
  static var built: DecoderPaths {
    do {
      return DecoderPaths(candidates: [try Programs.path(of: "gallery-decoder")])
    } catch {
      Issue.record(error)
      return DecoderPaths(candidates: [])
    }
  }

  var processes: [Int] { started.withLock { $0.map(\.process) } }

  /// The highest peak memory of a process of the pool, in bytes; a process that has ended counts as 0.
  var peakMemory: Int {
    processes.map(Self.peak).max() ?? 0
  }

  private static func peak(of process: Int) -> Int {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropLast().last.flatMap { Int($0) }.map { $0 * 1_024 } ?? 0
  }

  /// Whether a process exists, including one that has ended but was not waited for.
  static func isThere(_ process: Int) -> Bool { kill(pid_t(process), 0) == 0 }
}
