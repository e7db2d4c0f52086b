import Models
import TestSupport
import Testing
import Workers

struct TimelinesTests {
  @Test func `cuts a month with many images into buckets`() {
    let timeline = Timeline(
      ids: Array(1...4_100),
      runs: [.init(month: 24_310, count: 4_050), .init(month: 24_309, count: 50)]
    )
    let version = LibraryVersion(library: "", epoch: 1, number: 1)

    let buckets = Timelines.Buckets(timeline, version: version).buckets

    #expect(buckets.map(\.count) == [2_000, 2_000, 50, 50])
    #expect(buckets.map(\.start) == [0, 2_000, 4_000, 4_050])
    #expect(buckets.map(\.month) == [24_310, 24_310, 24_310, 24_309])
  }

  @Test func `a list is read once for each state of the library`() async throws {
    let library = LibraryStub()
    let timelines = Timelines(library)

    for _ in 1...3 { _ = try await timelines.buckets(of: ImageQuery()) }
    let known = try await timelines.buckets(of: ImageQuery(), at: 1)
    let other = try await timelines.buckets(of: ImageQuery(), at: 2)

    #expect(library.events.filter { $0 == .timeline(ImageQuery()) }.count == 1)
    #expect(known?.version.number == 1)
    #expect(other == nil)
  }
}
