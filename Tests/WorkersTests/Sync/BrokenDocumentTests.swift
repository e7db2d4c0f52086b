import Models
import Testing
import Workers

struct BrokenDocumentTests {
  private let broken = Failure.network(NetworkError(.broken, at: .feed))

  @Test func `keeps the images that came before the break, and no validators`() async {
    let bench = SyncBench([.feed: .breaking("sun", "moon")])

    let summaries = await bench.summaries()

    #expect(
      bench.store.events == [
        .appended(["sun", "moon"]), .brokenOff(problem: SyncBench.words(broken)), .flushed,
      ]
    )
    #expect(summaries.map(\.feed?.validators) == [Validators()])
  }

  @Test func `is failed, tells the break, and counts what came`() async {
    let bench = SyncBench([.feed: .breaking("sun", "moon")])

    let facts = await bench.facts()

    let problem = SyncProblem(subject: .feed, address: .feed, failure: broken)
    let feed = Feed(
      id: 1,
      address: .feed,
      imageCount: 2,
      lastSync: SyncBench.now,
      status: .failed,
      problem: SyncBench.words(broken)
    )
    let summary = FeedSyncSummary(
      address: .feed,
      feed: feed,
      status: .failed,
      images: ImageCounts(total: 2, new: 2),
      thumbnails: TransferCounts(waiting: 2),
      bytes: 107,
      problems: [problem]
    )
    #expect(
      facts == [
        .problem(problem), .feedFinished(summary), .ended(SyncEnd(isInterrupted: false)),
      ]
    )
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

    let failure = Failure.feed(.malformed("exclamation mark"))
    #expect(
      bench.store.events == [
        .appended(["sun"]), .brokenOff(problem: SyncBench.words(failure)), .flushed,
      ]
    )
    let problem = SyncProblem(subject: .feed, address: .feed, failure: failure)
    #expect(summaries.map(\.problems) == [[problem]])
  }

  @Test func `is failed when the end shows that the document is no feed`() async {
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

extension FakeReply {
  fileprivate static func breaking(_ chunks: String...) -> FakeReply {
    FakeReply(
      validators: SyncBench.validators,
      chunks: chunks.map { Array($0.utf8) },
      breakage: .broken
    )
  }
}
