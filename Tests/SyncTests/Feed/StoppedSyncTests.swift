import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct StoppedSyncTests {
  private let gate = Gate()

  @Test func `only ends when it is stopped before an answer`() async {
    let bench = SyncBench([.feed: .held(by: gate)])
    _ = bench.know("moon")

    let facts = await stop(bench, .everything) { await gate.arrivals.reaches(1) }

    #expect(facts == [.ended(SyncEnd(isInterrupted: true))])
    #expect(bench.store.events == [])
  }

  @Test func `does not begin the feeds that wait for their turn`() async {
    let feeds = (1...9).map { WebAddress.sample("feed\($0)") }
    var replies: [WebAddress: FakeReply] = [:]
    for feed in feeds { replies[feed] = .held(by: gate) }
    let bench = SyncBench(replies)

    let facts = await stop(bench, SyncPlan(feeds: feeds)) { await gate.arrivals.reaches(8) }

    #expect(facts == [.ended(SyncEnd(isInterrupted: true))])
    #expect(bench.network.requests.count == 8)
    #expect(bench.store.events == [])
  }

  @Test func `keeps what came of a document, and says so without a problem`() async {
    var reply = FakeReply.document("sun moon", validators: SyncBench.validators)
    reply.endGate = gate
    let bench = SyncBench([.feed: reply])

    let facts = await stop(bench, .everything) { await gate.arrivals.reaches(1) }

    let cancelled = Failure.network(NetworkError(.cancelled, at: .feed))
    #expect(
      bench.store.events == [
        .appended(["sun", "moon"]), .brokenOff(problem: SyncBench.words(cancelled)), .flushed,
      ]
    )
    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.status) == [.updated])
    #expect(facts.summaries.map(\.images) == [ImageCounts(total: 2, new: 2)])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(waiting: 2)])
    #expect(facts.summaries.map(\.originals) == [TransferCounts(waiting: 2)])
    #expect(facts.last == .ended(SyncEnd(isInterrupted: true)))
  }

  @Test func `is unchanged when what came of a document was known`() async {
    var reply = FakeReply.document("moon")
    reply.endGate = gate
    let bench = SyncBench([.feed: reply])
    _ = bench.know("moon")

    let facts = await stop(bench, .documentOnly) { await gate.arrivals.reaches(1) }

    #expect(facts.summaries.map(\.status) == [.unchanged])
  }

  @Test func `stores the thumbnails that have come, and counts the others as waiting`() async {
    let bench = SyncBench([
      .feed: .document("sun moon star"), .thumbnail("moon"): .held(by: gate),
    ])

    let facts = await stop(bench, SyncPlan(feeds: [.feed])) {
      await bench.network.answers.reaches(2)
    }

    #expect(
      bench.store.events == [
        .appended(["sun", "moon", "star"]), .finished(Validators(), isWhole: true, false),
        .storedThumbnails([1, 3]), .flushed,
      ]
    )
    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 2, waiting: 1)])
    #expect(facts.last == .ended(SyncEnd(isInterrupted: true)))
  }

  @Test func `throws away the original that is arriving, and counts it as waiting`() async {
    var reply = FakeReply.picture(PictureBytes.jpeg)
    reply.endGate = gate
    let bench = SyncBench([.feed: FakeReply(status: 304), .original("moon"): reply])
    _ = bench.know("moon")
    let plan = SyncPlan(feeds: [.feed], fetchesThumbnails: false, fetchesOriginals: true)

    let facts = await stop(bench, plan) { await gate.arrivals.reaches(1) }

    #expect(
      bench.store.events == [
        .noted(.unchanged, problem: nil, nil), .suspended(imageID: 1, length: 0), .flushed,
      ]
    )
    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.originals) == [TransferCounts(waiting: 1)])
    #expect(facts.last == .ended(SyncEnd(isInterrupted: true)))
  }

  private func stop(
    _ bench: SyncBench,
    _ plan: SyncPlan,
    when isDue: () async -> Void
  ) async -> [SyncFact] {
    let run = bench.start(plan)
    await isDue()
    run.stop()
    return await run.allFacts()
  }
}
