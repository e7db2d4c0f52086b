import Models
import TestSupport
import Testing
import Workers

struct BrokenDocumentTests {
  private let broken = Failure.network(NetworkError(.broken, at: .feed))

  @Test func `keeps the images that came before the break, and no validators`() async {
    let bench = SyncBench([.feed: .breaking("sun", "moon")])

    let summaries = await bench.summaries()

    #expect(
      bench.store.events == [
        .appended(["sun", "moon"]),
        .brokenOff(problem: SyncBench.words(broken)), .flushed,
      ]
    )
    #expect(summaries.map(\.feed?.validators) == [Validators()])
  }

  @Test func `is failed, tells the break, and counts what came`() async {
    let bench = SyncBench([.feed: .breaking("sun", "moon")])

    let facts = await bench.facts()

    let problem = SyncProblem(subject: .feed, address: .feed, failure: broken)
    var feed = Feed(
      id: 1,
      address: .feed,
      imageCount: 2,
      isWhole: false,
      status: .failed,
      problem: SyncBench.words(broken)
    )
    feed.schedule.take(.failed, ofFeed: 1, allowed: nil, now: SyncBench.now)
    let summary = FeedSyncSummary(
      address: .feed,
      feed: feed,
      status: .failed,
      images: ImageCounts(total: 2, new: 2),
      newIDs: [1...2],
      thumbnails: TransferCounts(waiting: 2),
      bytes: 3 * 107,
      problems: [problem]
    )
    #expect(
      facts == [
        .problem(problem), .feedFinished(summary), .ended(SyncEnd(isInterrupted: false)),
      ]
    )
  }

  @Test(arguments: [NetworkError.Reason.broken, .timedOut])
  func `is read again from its start, and counts what the readings did together`(
    _ reason: NetworkError.Reason
  ) async {
    let whole = FakeReply.document("sun moon star", validators: SyncBench.validators)
    let bench = SyncBench([.feed: .breaking("sun", "moon", by: reason, then: whole)])

    let summaries = await bench.summaries(.documentOnly)

    #expect(bench.network.requests.map(\.attempt) == [0, 1])
    #expect(
      bench.store.events == [
        .appended(["sun", "moon"]), .appended(["star"]),
        .finished(SyncBench.validators, isWhole: true, false), .flushed,
      ]
    )
    #expect(summaries.map(\.status) == [.updated])
    #expect(summaries.map(\.images) == [ImageCounts(total: 3, new: 3)])
    #expect(summaries.map(\.problems) == [[]])
    #expect(summaries.map(\.bytes) == [107 + 113])
  }

  @Test func `is asked for three times at most, each later than the one before`() async {
    let bench = SyncBench([.feed: .breaking("sun")])

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.requests.map(\.attempt) == [0, 1, 2])
    #expect(bench.network.requests.map(\.validators) == Array(repeating: Validators(), count: 3))
  }

  @Test func `fails with what the last try failed with`() async {
    let bench = SyncBench([.feed: .breaking("sun", then: FakeReply(status: 503))])

    let summaries = await bench.summaries(.documentOnly)

    let problem = SyncProblem(subject: .feed, address: .feed, failure: .status(503))
    #expect(summaries.map(\.problems) == [[problem]])
    #expect(summaries.map(\.images) == [ImageCounts(new: 1)])
  }

  @Test func `is not read again when it is damaged rather than broken off`() async {
    let bench = SyncBench([.feed: .document("sun", "!")])

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.addresses == [.feed])
  }

  @Test func `a page that breaks off is read again, and nothing is lost`() async {
    let page = FakeReply.breaking("moon", then: .document("moon star"))
    let bench = SyncBench([.feed: .document("sun >2"), .page("2"): page])

    let summaries = await bench.summaries(.documentOnly)

    #expect(bench.network.addresses == [.feed, .page("2"), .page("2")])
    #expect(summaries.map(\.images) == [ImageCounts(total: 3, new: 3)])
    #expect(summaries.map(\.problems) == [[]])
    #expect(bench.store.events.contains(.finished(Validators(), isWhole: true, false)))
  }

  @Test func `makes no feed known of which nothing came`() async {
    let bench = SyncBench([.feed: .breaking()])

    let summaries = await bench.summaries()

    #expect(summaries.map(\.status) == [.failed])
    #expect(summaries.map(\.feed) == [nil])
  }

  @Test func `keeps what was read before damage`() async {
    let bench = SyncBench([.feed: .document("sun", "!", "moon")])

    let summaries = await bench.summaries()

    let failure = Failure.feed(.malformed(.malformedTag))
    #expect(
      bench.store.events == [
        .appended(["sun"]), .brokenOff(problem: SyncBench.words(failure)), .flushed,
      ]
    )
    let problem = SyncProblem(subject: .feed, address: .feed, failure: failure)
    #expect(summaries.map(\.problems) == [[problem]])
  }

  @Test func `is failed when the end shows that the document is not a feed`() async {
    let bench = SyncBench([.feed: .document("")])
    _ = bench.know("moon")

    let summaries = await bench.summaries()

    let failure = Failure.feed(.notAFeed(looksLike: "an empty file"))
    let problem = SyncProblem(subject: .feed, address: .feed, failure: failure)
    #expect(summaries.map(\.problems) == [[problem]])
    #expect(summaries.map(\.status) == [.failed])
    #expect(summaries.map(\.feed?.id) == [7])
  }
}
