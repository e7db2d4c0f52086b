import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct LockedFeedTests {
  @Test func `is locked before it is asked for, and until all is told`() async {
    let bench = SyncBench([.feed: .document("moon")])

    let facts = await bench.facts()

    #expect(bench.store.locks == [.taken(.feed), .released(.feed)])
    #expect(facts.summaries.map(\.status) == [.updated])
  }

  @Test func `waits for another process, and says once for whom`() async {
    let bench = SyncBench([.feed: .document("moon")], store: FaultyLibrary(lockRefusals: 3))

    let facts = await bench.facts(.documentOnly)

    let waiting = SyncNotice.waiting(for: FaultyLibrary.lockHolder, feed: .feed)
    #expect(facts.notices == [waiting])
    #expect(bench.store.locks.count == 5)
    #expect(facts.summaries.map(\.status) == [.updated])
  }

  @Test func `fails after a minute, and names who has it`() async {
    let bench = SyncBench([.feed: .document("moon")], store: FaultyLibrary(lockRefusals: .max))
    let feed = bench.know("moon")

    let facts = await bench.facts()

    let problem = SyncProblem(
      subject: .feed,
      address: .feed,
      failure: .locked(by: FaultyLibrary.lockHolder)
    )
    #expect(bench.store.locks.count == 240)
    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.problems) == [[problem]])
    #expect(facts.summaries.map(\.status) == [.failed])
    #expect(facts.summaries.map(\.feed) == [feed])
    #expect(bench.network.requests == [])
    #expect(bench.store.events == [])
    #expect(bench.store.storedFeeds == [feed])
  }

  @Test func `is named in its failure, also when every feed is synced`() async {
    let bench = SyncBench([.feed: .document("moon")], store: FaultyLibrary(lockRefusals: .max))
    let feed = bench.know("moon")

    let facts = await bench.facts(SyncPlan(feeds: [.feed], isEveryFeed: true))

    #expect(facts.summaries.map(\.feed) == [feed])
    #expect(facts.summaries.map(\.images.total) == [feed.documentImageCount])
  }

  @Test func `is silent when it is stopped while it waits`() async {
    let bench = SyncBench([.feed: .document("moon")], store: FaultyLibrary(lockRefusals: .max))
    let stopped = Gate()
    let run = bench.start(.documentOnly) { _ in
      await stopped.passed()
      try Task.checkCancellation()
    }
    await stopped.arrivals.reaches(1)

    run.stop()
    let facts = await run.allFacts()

    #expect(facts.summaries == [])
    #expect(facts.problems == [])
    #expect(facts.last == .ended(SyncEnd(isInterrupted: true)))
  }

  @Test func `is locked under the address that it is stored under`() async {
    let bench = SyncBench([.feed: .document("moon")])
    bench.store.keep(Feed(id: 7, address: .feed, aliases: [.sample("former")]), images: [String]())

    let facts = await bench.facts(SyncPlan(feeds: [.sample("former")], fetchesThumbnails: false))

    #expect(bench.store.locks == [.taken(.feed), .released(.feed)])
    #expect(bench.network.addresses == [.feed])
    #expect(facts.summaries.map(\.address) == [.feed])
  }

  @Test func `is asked for as it is stored, in whatever spelling it is named`() async {
    let bench = SyncBench([.feed: .document("moon")])
    _ = bench.know("moon")
    let spelling = WebAddress.at("HTTPS" + WebAddress.feed.text.dropFirst("https".count) + "#top")

    let facts = await bench.facts(SyncPlan(feeds: [spelling], fetchesThumbnails: false))

    #expect(bench.network.addresses == [.feed])
    #expect(facts.summaries.map(\.address) == [.feed])
    #expect(bench.store.storedFeeds.count == 1)
  }

  @Test func `is asked by https when it is named so, and never again otherwise`() async {
    let http = WebAddress.at("http://example.org/photos")
    let https = WebAddress.at("https://example.org/photos")
    let bench = SyncBench([http: .document("moon"), https: .document("moon")])
    bench.store.keep(Feed(id: 7, address: http), images: [String]())

    _ = await bench.facts(SyncPlan(feeds: [https], fetchesThumbnails: false))

    #expect(bench.network.addresses == [https])
  }

  @Test func `is synced once, however many of its addresses are given`() async {
    let bench = SyncBench([.feed: .document("moon"), .page("list"): .document("@x")])
    bench.store.keep(Feed(id: 7, address: .feed, aliases: [.page("x")]), images: [String]())
    let feeds: [WebAddress] = [.feed, .page("x"), .page("list")]

    let facts = await bench.facts(SyncPlan(feeds: feeds, fetchesThumbnails: false))

    #expect(bench.network.addresses.filter { $0 == .feed }.count == 1)
    #expect(facts.summaries.map(\.address) == [.feed])
  }
}
