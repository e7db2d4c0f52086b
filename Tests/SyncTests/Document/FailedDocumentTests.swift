import Models
import TestSupport
import Testing
import Workers

struct FailedDocumentTests {
  @Test(arguments: [404, 410, 500, 206])
  func `fails with the status that is not 200`(_ status: Int) async {
    let bench = SyncBench([.feed: FakeReply(status: status)])

    let facts = await bench.facts()

    let problem = SyncProblem(subject: .feed, address: .feed, failure: .status(status))
    let summary = FeedSyncSummary(address: .feed, status: .failed, problems: [problem])
    #expect(
      facts == [
        .problem(problem), .feedFinished(summary), .ended(SyncEnd(isInterrupted: false)),
      ]
    )
  }

  @Test func `fails with the network's reason, and notes it in words`() async {
    let failure = Failure.network(NetworkError(.unreachable, at: .feed))
    let bench = SyncBench([.feed: FakeReply(refusal: .unreachable)])

    let summaries = await bench.summaries()

    #expect(summaries.map(\.status) == [.failed])
    let problem = SyncProblem(subject: .feed, address: .feed, failure: failure)
    #expect(summaries.map(\.problems) == [[problem]])
    let words = SyncBench.words(failure)
    #expect(bench.store.events == [.noted(.failed, problem: words, nil), .flushed])
  }

  @Test func `leaves a known feed what it had`() async {
    let bench = SyncBench([.feed: FakeReply(status: 500)])
    var feed = bench.know("sun", "moon")

    let summaries = await bench.summaries(.everything)

    feed.status = .failed
    feed.problem = SyncBench.words(.status(500))
    feed.schedule.take(.failed, ofFeed: 7, allowed: nil, now: SyncBench.now)
    let summary = FeedSyncSummary(
      address: .feed,
      feed: feed,
      status: .failed,
      images: ImageCounts(total: 2),
      thumbnails: TransferCounts(waiting: 2),
      originals: TransferCounts(waiting: 2),
      problems: [SyncProblem(subject: .feed, address: .feed, failure: .status(500))]
    )
    #expect(summaries == [summary])
  }

  @Test func `asks for no picture of a feed that failed`() async {
    let bench = SyncBench([.feed: FakeReply(status: 500)])
    _ = bench.know("sun", "moon")

    _ = await bench.facts(.everything)

    #expect(bench.network.requests.map(\.address) == [.feed])
  }
}
