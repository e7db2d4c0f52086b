import Models
import TestSupport
import Testing
import Workers

struct GoneFeedTests {
  private let every = SyncPlan(feeds: [.feed, .page("b")], isEveryFeed: true)

  @Test func `a feed whose server says that it is gone is failed and paused`() async {
    let bench = SyncBench([.feed: FakeReply(status: 410)])
    _ = bench.know("moon")

    let facts = await bench.facts()

    let problem = SyncProblem(subject: .feed, address: .feed, failure: .gone)
    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.status) == [.failed])
    #expect(facts.summaries.map(\.feed?.isPaused) == [true])
    #expect(facts.summaries.map(\.feed?.problem) == [SyncBench.words(.gone)])
  }

  @Test func `a sync of every feed leaves it out, and says how many there are`() async {
    let bench = SyncBench([.page("b"): .document("sun")])
    bench.store.keep(Feed(id: 8, address: .page("b")), images: [String]())
    bench.store.keep(Feed(id: 7, address: .feed, isPaused: true), images: ["moon"])

    let facts = await bench.facts(every)

    #expect(facts.summaries.map(\.address) == [.page("b")])
    #expect(facts.notices == [.paused(feeds: 1)])
    #expect(!bench.network.addresses.contains(.feed))
    #expect(!bench.network.addresses.contains(.thumbnail("moon")))
  }

  @Test func `it is left out by force, too`() async {
    let bench = SyncBench([:])
    bench.store.keep(Feed(id: 7, address: .feed, isPaused: true), images: [String]())
    let plan = SyncPlan(feeds: [.feed], isForced: true, isEveryFeed: true)

    #expect(
      await bench.facts(plan) == [
        .notice(.paused(feeds: 1)), .ended(SyncEnd(isInterrupted: false)),
      ]
    )
  }

  @Test(arguments: [200, 304])
  func `it is asked when it is named, and paused no longer once it answers`(
    _ status: Int
  ) async {
    var reply = FakeReply.document("moon")
    reply.status = status
    let bench = SyncBench([.feed: reply])
    var feed = Feed(id: 7, address: .feed, validators: SyncBench.validators)
    feed.isPaused = true
    bench.store.keep(feed, images: ["moon"])

    let facts = await bench.facts(.documentOnly)

    #expect(facts.summaries.map(\.feed?.isPaused) == [false])
    #expect(facts.notices == [])
  }
}
