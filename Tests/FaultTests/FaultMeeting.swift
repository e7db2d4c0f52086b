import CurlNetwork
import TestSupport
import Testing

/// One sync of a feed with a faulty picture for each of some faults, and a sound picture before each.
struct FaultMeeting: Sendable {
  let bench: FaultBench
  private let problems: [String]

  init(
    _ faults: [Fault],
    timeouts: NetworkTimeouts = .patient,
    retries: RetryPolicy = .quick
  ) async throws {
    // By default, a host with this many failures would get no more retries.
    var retries = retries
    retries.failuresUntilNoRetry = .max
    bench = FaultBench(try FaultSite(faults, sound: 1), timeouts: timeouts, retries: retries)
    problems = try await bench.sync()
  }

  func entry(_ fault: Fault) throws -> FaultSite.Entry {
    try #require(bench.site.entries.first { $0.fault?.name == fault.name })
  }

  /// The reason that the user reads for an entry; nil if no problem names it.
  func reason(_ entry: FaultSite.Entry) -> String? {
    let start = "cannot fetch the thumbnail '\(entry.address)': "
    return problems.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
  }
}
