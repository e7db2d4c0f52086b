import CurlNetwork
import TestSupport
import Testing

/// Servers that would never end a transfer, with time limits of some seconds.
@Suite(.timeLimit(.minutes(60)))
struct LimitTests {
  private static let faults = Fault.all.filter { !$0.outcome.endsByItself }
  private static let meeting = Task {
    try await FaultMeeting(faults, timeouts: .short, retries: .once)
  }

  @Test(arguments: faults)
  func `a server that does not end is not waited for`(fault: Fault) async throws {
    let meeting = try await Self.meeting.value
    let entry = try meeting.entry(fault)
    let reason = try #require(meeting.reason(entry))

    #expect(try await meeting.bench.thumbnail(of: entry) == nil)
    #expect(fault.outcome.isReason(reason), "\(reason)")
  }

  @Test func `the pictures between them are stored as if there were none`() async throws {
    let meeting = try await Self.meeting.value

    for entry in meeting.bench.site.entries where entry.fault == nil {
      #expect(try await meeting.bench.thumbnail(of: entry) == entry.picture)
    }
  }
}
