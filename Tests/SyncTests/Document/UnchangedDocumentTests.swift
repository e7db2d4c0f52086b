import Models
import TestSupport
import Testing
import Workers

struct UnchangedDocumentTests {
  @Test func `is unchanged, and has the images that it had`() async {
    let bench = SyncBench([.feed: FakeReply(status: 304)])
    var feed = bench.know("sun", "moon")

    let summaries = await bench.summaries(.documentOnly)

    feed.status = .unchanged
    feed.lastSync = SyncBench.now
    feed.schedule.take(.unchanged, ofFeed: 7, allowed: nil, now: SyncBench.now)
    let summary = FeedSyncSummary(
      address: .feed,
      feed: feed,
      status: .unchanged,
      images: ImageCounts(total: 2),
      thumbnails: TransferCounts(waiting: 2),
      bytes: 100
    )
    #expect(summaries == [summary])
  }

  @Test func `keeps the validators that the answer renews`() async {
    let renewed = Validators(entityTag: "\"two\"")
    let bench = SyncBench([.feed: FakeReply(status: 304, validators: renewed)])
    _ = bench.know("moon")

    _ = await bench.facts(.documentOnly)

    #expect(bench.store.events == [.noted(.unchanged, problem: nil, renewed), .flushed])
  }

  @Test func `leaves the validators when the answer has none`() async {
    let bench = SyncBench([.feed: FakeReply(status: 304)])
    _ = bench.know("moon")

    _ = await bench.facts(.documentOnly)

    #expect(bench.store.events == [.noted(.unchanged, problem: nil, nil), .flushed])
  }

  @Test func `still fetches the pictures that are missing`() async {
    let bench = SyncBench([.feed: FakeReply(status: 304)])
    _ = bench.know("sun", "moon")

    let summaries = await bench.summaries(.everything)

    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 2)])
    #expect(summaries.map(\.originals) == [TransferCounts(stored: 2)])
  }

  @Test func `is a failure when there is nothing that could be unchanged`() async {
    let bench = SyncBench([.feed: FakeReply(status: 304)])

    let summaries = await bench.summaries()

    let problem = SyncProblem(subject: .feed, address: .feed, failure: .status(304))
    #expect(summaries == [FeedSyncSummary(address: .feed, status: .failed, problems: [problem])])
  }
}
