import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct PagesTests {
  private let validators = SyncBench.validators

  @Test func `a new feed is read to its last page, and its first page's validators are stored`()
    async
  {
    let bench = SyncBench([
      .feed: .document("sun >2", validators: validators), .page("2"): .document("moon >3"),
      .page("3"): .document("star"),
    ])

    let summaries = await bench.summaries(.documentOnly)

    #expect(bench.network.addresses == [.feed, .page("2"), .page("3")])
    #expect(
      bench.store.events == [
        .appended(["sun"]), .appended(["moon"]), .appended(["star"]),
        .finished(validators, isWhole: true, false), .flushed,
      ]
    )
    #expect(summaries.map(\.images) == [ImageCounts(total: 3, new: 3)])
  }

  @Test func `a feed that was read whole is followed to the first page with nothing new`() async {
    let bench = SyncBench([
      .feed: .document("comet sun >2"), .page("2"): .document("moon >3"),
      .page("3"): .document("star"),
    ])
    _ = bench.know("sun", "moon", "star")

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.addresses == [.feed, .page("2")])
  }

  @Test func `without news on the first page no other is asked for`() async {
    let bench = SyncBench([.feed: .document("sun >2"), .page("2"): .document("moon")])
    _ = bench.know("sun", "moon")

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.addresses == [.feed])
  }

  @Test func `a page that cannot be had is told, and the rest is stored without validators`()
    async
  {
    let bench = SyncBench([
      .feed: .document("sun >2", validators: validators), .page("2"): FakeReply(status: 500),
    ])

    let facts = await bench.facts(.documentOnly)

    let problem = SyncProblem(subject: .page, address: .page("2"), failure: .status(500))
    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.status) == [.updated])
    #expect(bench.store.events.contains(.finished(Validators(), isWhole: false, false)))
  }

  @Test func `a feed that was not read whole is read to its last page, news or not`() async {
    let bench = SyncBench([.feed: .document("sun >2"), .page("2"): .document("moon")])
    var feed = Feed(id: 7, address: .feed, isWhole: false)
    feed.status = .failed
    bench.store.keep(feed, images: ["sun", "moon"])

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.addresses == [.feed, .page("2")])
  }

  @Test func `pages that name one another are asked for once`() async {
    let bench = SyncBench([.feed: .document("sun >2"), .page("2"): .document("moon >2")])

    let summaries = await bench.summaries(.documentOnly)

    #expect(bench.network.addresses == [.feed, .page("2")])
    #expect(summaries.map(\.images.total) == [2])
  }

  @Test func `a next page in the header counts where the document names none`() async {
    var reply = FakeReply.document("sun")
    reply.nextPage = .page("2")
    let bench = SyncBench([.feed: reply, .page("2"): .document("moon")])

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.addresses == [.feed, .page("2")])
  }
}
