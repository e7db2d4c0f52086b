import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

struct PollingTests {
  private let now = SyncBench.now

  @Test(arguments: [
    (nil, nil), (0, nil), (-5, nil), (600, 600.0), (3_600, 3_600), (86_400, 3_600),
  ])
  func `an answer holds for as long as it says, and an hour at most`(
    _ freshSeconds: Int?,
    _ wait: Double?
  ) async {
    for status in [200, 304] {
      var reply = FakeReply.document("moon")
      reply.status = status
      reply.freshSeconds = freshSeconds
      let bench = SyncBench([.feed: reply])
      _ = bench.know("moon")

      let summaries = await bench.summaries(.documentOnly)

      #expect(summaries.map(\.feed?.nextSync) == [wait.map { now + $0 }])
    }
  }

  @Test func `a feed whose answer holds is not asked for its document, only for its pictures`()
    async
  {
    let bench = SyncBench([.feed: .document("moon")])
    know(bench, nextSync: now + 1)

    let summaries = await bench.summaries(SyncPlan(feeds: [.feed], isEveryFeed: true))

    #expect(bench.network.addresses == [.thumbnail("moon")])
    #expect(summaries.map(\.status) == [.unchanged])
    #expect(summaries.map(\.images) == [ImageCounts(total: 1)])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
  }

  @Test func `nothing is asked for of a feed whose answer holds and whose pictures are there`()
    async
  {
    let bench = SyncBench([.feed: .document("moon")])
    know(bench, nextSync: now + 1)
    let plan = SyncPlan(feeds: [.feed], fetchesThumbnails: false, isEveryFeed: true)

    let summaries = await bench.summaries(plan)

    #expect(bench.network.requests == [])
    #expect(summaries.map(\.bytes) == [0])
    #expect(bench.store.events == [.flushed])
  }

  @Test(arguments: [0, -1, 100_000])
  func `it is asked for when the date has come, or is too far away to be true`(
    _ seconds: Double
  ) async {
    let bench = SyncBench([.feed: .document("moon")])
    know(bench, nextSync: now + seconds)

    _ = await bench.facts(SyncPlan(feeds: [.feed], fetchesThumbnails: false, isEveryFeed: true))

    #expect(bench.network.addresses == [.feed])
  }

  @Test func `a feed that never answered waits, and counts as failed without a word`() async {
    let bench = SyncBench([.feed: .document("moon")])
    var feed = Feed(id: 7, address: .feed, status: .failed, problem: "it is not there")
    feed.nextSync = now + 600
    bench.store.keep(feed, images: [String]())

    let facts = await bench.facts(SyncPlan(feeds: [.feed], isEveryFeed: true))

    #expect(bench.network.requests == [])
    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.status) == [.failed])
  }

  @Test func `a dead feed of a list is followed with the reach of the list`() async throws {
    let bench = SyncBench([
      .feed: .document("&a &b ."), .page("a"): FakeReply(status: 404), .page("b"): .document("sun"),
    ])

    let facts = await bench.facts(.documentOnly)

    #expect(facts.problems.map(\.address) == [.page("a")])
    let dead = try #require(await bench.store.feed(at: .page("a")))
    #expect(dead.hasNeverAnswered && dead.reach == .publicOnly)
    #expect(try await bench.store.feed(at: .page("b"))?.status != .failed)
  }

  @Test func `what came through a pipe is not asked for again, only its pictures are`() async {
    let pipe = WebAddress(pipe: 1)
    for isEveryFeed in [true, false] {
      let bench = SyncBench([pipe: .document("moon")])
      bench.store.keep(Feed(id: 1, address: pipe, documentImageCount: 1), images: ["moon"])
      let plan = SyncPlan(feeds: [pipe], isForced: true, isEveryFeed: isEveryFeed)

      let facts = await bench.facts(plan)

      #expect(bench.network.addresses == [.thumbnail("moon")])
      #expect(facts.summaries.map(\.status) == [.unchanged])
      #expect(facts.notices == (isEveryFeed ? [] : [.readFromPipe(pipe)]))
    }
  }

  @Test func `a document that comes through a pipe is read, and leads to public addresses`() async {
    let pipe = WebAddress(pipe: 1)
    let bench = SyncBench([pipe: .document("moon")])

    let summaries = await bench.summaries(SyncPlan(feeds: [pipe], piped: [pipe]))

    #expect(summaries.map(\.feed?.address) == [pipe])
    #expect(summaries.map(\.feed?.reach) == [.publicOnly])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
  }

  @Test func `it is asked for when it is named, or by force`() async {
    let named = SyncPlan(feeds: [.feed], fetchesThumbnails: false)
    var forced = named
    forced.isEveryFeed = true
    forced.isForced = true
    for plan in [named, forced] {
      let bench = SyncBench([.feed: .document("moon")])
      know(bench, nextSync: now + 1)

      _ = await bench.facts(plan)

      #expect(bench.network.addresses == [.feed])
    }
  }

  @Test func `a feed of which a page could not be had is asked for again with the next sync`()
    async
  {
    var reply = FakeReply.document("moon >2")
    reply.freshSeconds = 600
    let bench = SyncBench([.feed: reply, .page("2"): FakeReply(status: 500)])

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.feed?.nextSync) == [nil])
  }

  @Test func `a feed that was removed before its turn does not come back by itself`() async {
    let bench = SyncBench([.feed: .document("moon")])

    let facts = await bench.facts(SyncPlan(feeds: [.feed], isEveryFeed: true))

    #expect(facts == [.ended(SyncEnd(isInterrupted: false))])
    #expect(bench.network.requests == [])
  }

  @Test func `a server that fails and asks for a pause gets it, a day at most`() async {
    for (seconds, wait) in [(120.0, 120.0), (1_000_000, 86_400)] {
      var reply = FakeReply(status: 503)
      reply.retryAfter = now + seconds
      let bench = SyncBench([.feed: reply])
      know(bench, nextSync: nil)

      let summaries = await bench.summaries(.documentOnly)

      #expect(summaries.map(\.feed?.nextSync) == [now + wait])
    }
  }

  @Test func `a host that has asked for a pause before gets it`() async {
    let bench = SyncBench([.feed: FakeReply(refusal: .paused(until: now + 60))])
    know(bench, nextSync: nil)

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.feed?.nextSync) == [now + 60])
  }

  @Test func `a failure without such a filter is tried again with the next sync`() async {
    let bench = SyncBench([.feed: FakeReply(status: 500)])
    know(bench, nextSync: now + 60)

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.feed?.nextSync) == [nil])
  }

  private func know(_ bench: SyncBench, nextSync: Date?) {
    let feed = Feed(
      id: 7,
      address: .feed,
      documentImageCount: 1,
      validators: SyncBench.validators,
      nextSync: nextSync
    )
    bench.store.keep(feed, images: ["moon"])
  }
}
