import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct OriginalSyncTests {
  @Test func `fetches the missing originals behind the thumbnails`() async {
    let bench = SyncBench([.feed: .document("moon")])

    let summaries = await bench.summaries(.everything)

    #expect(
      bench.network.requests.map(\.address) == [.feed, .thumbnail("moon"), .original("moon")]
    )
    #expect(summaries.map(\.originals) == [TransferCounts(stored: 1)])
    #expect(bench.store.events.last == .flushed)
  }

  @Test func `says nothing of originals that were not asked for`() async {
    let bench = SyncBench([.feed: .document("moon")])

    let summaries = await bench.summaries()

    #expect(summaries.map(\.originals) == [TransferCounts()])
  }

  @Test func `leaves those that are stored`() async {
    let bench = SyncBench([.feed: .document("sun moon")])
    _ = bench.know("sun", "moon")
    bench.store.keepOriginal(.sample(imageID: 1), imageID: 1)

    let summaries = await bench.summaries(.everything)

    #expect(summaries.map(\.originals) == [TransferCounts(stored: 1)])
    #expect(bench.network.requests.last?.address == .original("moon"))
  }

  @Test func `tells one that fails and stores the others`() async {
    let bench = SyncBench([
      .feed: .document("sun moon star"), .original("moon"): FakeReply(status: 403),
    ])

    let summaries = await bench.summaries(.everything)

    let problem = SyncProblem(
      subject: .original,
      address: .original("moon"),
      failure: .status(403)
    )
    #expect(summaries.map(\.problems) == [[problem]])
    #expect(summaries.map(\.originals) == [TransferCounts(stored: 2, failed: 1)])
  }

  @Test func `fetches 16 at once, the newest first`() async {
    let gate = Gate()
    let names = (1...20).map { "image\($0)" }
    var replies: [WebAddress: FakeReply] = [.feed: FakeReply(status: 304)]
    for name in names { replies[.original(name)] = .held(by: gate) }
    let bench = SyncBench(replies)
    _ = bench.know(names)
    let plan = SyncPlan(feeds: [.feed], fetchesThumbnails: false, fetchesOriginals: true)

    let run = bench.start(plan)
    await gate.arrivals.reaches(16)
    let first = bench.network.requests.dropFirst().map(\.address)
    gate.open()
    _ = await run.allFacts()

    #expect(Set(first) == Set(names.prefix(16).map { .original($0) }))
    #expect(bench.network.mostWaiting == 16)
  }
}
