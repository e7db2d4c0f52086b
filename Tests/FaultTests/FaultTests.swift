import Scenes
import TestSupport
import Testing

/// The results of a picture whose server misbehaves: reported problem, number of requests, stored thumbnail.
///
/// One sync meets all faults that end without a time limit.
@Suite(.timeLimit(.minutes(60)))
struct FaultTests {
  private static let faults = Fault.all.filter(\.outcome.endsByItself)
  private static let meeting = Task { try await FaultMeeting(faults) }

  @Test(arguments: faults.filter { !$0.outcome.isStored })
  func `a picture is refused, for this reason and after so many requests`(
    fault: Fault
  ) async throws {
    let meeting = try await Self.meeting.value
    let entry = try meeting.entry(fault)
    let reason = try #require(meeting.reason(entry))

    #expect(try await meeting.bench.thumbnail(of: entry) == nil)
    #expect(fault.outcome.isReason(reason), "\(reason)")
    let requests = meeting.bench.site.requests(for: entry)
    #expect(fault.outcome.requests?.contains(requests) == true, "\(requests)")
  }

  @Test(arguments: faults.filter(\.outcome.isStored))
  func `a picture is stored as it should be all the same`(fault: Fault) async throws {
    let meeting = try await Self.meeting.value
    let entry = try meeting.entry(fault)

    #expect(try await meeting.bench.thumbnail(of: entry) == entry.picture)
    #expect(meeting.reason(entry) == nil)
    let requests = meeting.bench.site.requests(for: entry)
    #expect(fault.outcome.requests?.contains(requests) == true, "\(requests)")
  }

  @Test func `the pictures between them are stored as if there were none`() async throws {
    let meeting = try await Self.meeting.value

    for entry in meeting.bench.site.entries where entry.fault == nil {
      #expect(try await meeting.bench.thumbnail(of: entry) == entry.picture)
    }
    #expect(meeting.bench.outcome == .partly)
  }

  @Test func `no two faults have one name`() {
    #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
  }
}
