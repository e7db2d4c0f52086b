import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// The limits of one feed in one sync.
@Suite(.timeLimit(.minutes(60)))
struct FeedBoundsTests {
  private func plan(_ change: (inout FeedBounds) -> Void) -> SyncPlan {
    var plan = SyncPlan.documentOnly
    change(&plan.bounds)
    return plan
  }

  private func problem(
    _ subject: SyncProblem.Subject,
    _ bound: FeedBounds.Bound,
    stored: Int
  ) -> SyncProblem {
    let failure = Failure.feed(.beyondBound(bound, stored: stored))
    return SyncProblem(subject: subject, address: .feed, failure: failure)
  }

  @Test func `a feed of too many images keeps the first, tells how many, and is put off`() async {
    let bench = SyncBench([.feed: .document("sun moon star comet", "meteor")])

    let facts = await bench.facts(plan { $0.images = 3 })

    #expect(facts.problems == [problem(.feed, .images(3), stored: 3)])
    #expect(facts.summaries.map(\.status) == [.failed])
    #expect(facts.summaries.map(\.images) == [ImageCounts(total: 3, new: 3)])
    #expect(facts.summaries.map(\.feed?.nextSync) == [SyncBench.now + 3_600])
    #expect(bench.store.events.first == .appended(["sun", "moon", "star"]))
  }

  @Test func `of the last entry that a feed may bring some images may be left out`() async {
    let bench = SyncBench([.feed: .document("sun moon/star/comet meteor")])

    let facts = await bench.facts(plan { $0.images = 3 })

    #expect(facts.problems == [problem(.feed, .images(3), stored: 3)])
    let stored = bench.store.originalAddresses
    #expect(stored == ["sun", "moon", "star"].map(WebAddress.original))
  }

  @Test func `as many images as may be are not a problem`() async {
    let bench = SyncBench([.feed: .document("sun moon star")])

    let facts = await bench.facts(plan { $0.images = 3 })

    #expect(facts.problems == [])
  }

  @Test func `a document that is longer than any may be is put off, too`() async {
    let reason = NetworkError.Reason.tooLarge(limit: SyncLimits.documentBytes)
    let bench = SyncBench([.feed: .breaking("sun moon", by: reason)])

    let facts = await bench.facts(.documentOnly)

    #expect(facts.summaries.map(\.images.new) == [2])
    #expect(facts.summaries.map(\.feed?.nextSync) == [SyncBench.now + 3_600])
  }

  @Test func `a feed ends that makes the library too large`() async {
    let bench = SyncBench([.feed: .document("sun moon star")])

    let facts = await bench.facts(plan { $0.storedBytes = 250 })

    #expect(facts.problems == [problem(.feed, .storedBytes(250), stored: 3)])
  }

  @Test func `documents that are too long together, or take too long, end the feed`() async {
    let replies: [WebAddress: FakeReply] = [
      .feed: .document("sun >2"), .page("2"): .document("moon"),
    ]

    let bytes = await SyncBench(replies).facts(plan { $0.documentBytes = 6 })
    let seconds = await SyncBench(replies).facts(plan { $0.seconds = 0 })

    #expect(bytes.problems == [problem(.feed, .documentBytes(6), stored: 1)])
    #expect(seconds.problems == [problem(.feed, .seconds(0), stored: 1)])
  }

  @Test func `of a collection that goes on for ever so many documents are read`() async {
    let bench = SyncBench([
      .feed: .document(". *a *b"), .page("a"): .document(". *c *d *a"),
      .page("c"): .document("sun ."), .page("d"): .document("moon ."),
      .page("b"): .document("star ."),
    ])

    let facts = await bench.facts(plan { $0.documents = 3 })

    #expect(bench.network.addresses == [.feed, .page("a"), .page("c"), .page("d")])
    #expect(facts.problems == [problem(.document, .documents(3), stored: 2)])
    #expect(facts.problems.map(\.severity) == [.failure])
    #expect(facts.summaries.map(\.status) == [.updated])
  }

  @Test func `without limits all is read`() async {
    let bench = SyncBench([.feed: .document("sun moon >2"), .page("2"): .document("star")])

    let facts = await bench.facts(plan { $0 = .none })

    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.images.total) == [3])
  }

  @Test func `what waits to be asked for is bounded in bytes, whatever names it`() throws {
    let long = String(repeating: "x", count: 8_000)
    var queue = DocumentQueue(behind: .feed, limit: 100_000)

    for document in 0..<3 {
      queue.insert((0..<400).map { .page("\(document)/\($0)/\(long)") })
    }

    let limit = SyncLimits.waitingAddressBytes
    let name = "the bytes of the addresses of what is to be read next"
    #expect(queue.cut == .beyondLimit(of: name, limit: limit))
    let waiting = Array(sequence(state: queue) { $0.next() })
    #expect(waiting.reduce(0) { $0 + $1.text.utf8.count } <= limit)
    #expect(waiting.first == .page("2/0/\(long)"))
    #expect(waiting.count > 500 && waiting.count < 540)
  }

  @Test func `what waits already does not wait twice`() {
    var queue = DocumentQueue(behind: .feed, limit: 10)
    queue.insert([.page("a"), .page("b"), .feed])
    queue.insert([.page("b"), .page("c"), .page("c")])

    #expect(Array(sequence(state: queue) { $0.next() }) == [.page("c"), .page("a"), .page("b")])
    #expect(queue.cut == nil)
  }

  @Test func `the feeds of one sync are bounded in the bytes of their addresses`() {
    let long = String(repeating: "x", count: 1 << 20)
    var queue = FeedQueue([])
    let found = FoundFeeds(addresses: (0..<20).map { .page("\($0)\(long)") }, pointers: 1)

    let problem = queue.append(found, of: .feed)

    #expect(queue.count == 15)
    let name = "the bytes of the addresses of one sync's feeds"
    let limit = FeedError.beyondLimit(of: name, limit: SyncLimits.feedAddressBytes)
    #expect(problem?.failure == .feed(limit))
  }

  @Test func `the feeds of a list are bounded together, and those not asked for are told`() async {
    let count = 2 * SyncLimits.feedsReadAtOnce
    let names = (0..<count).map(String.init)
    var replies = Dictionary(
      uniqueKeysWithValues: names.map { (WebAddress.page($0), FakeReply.document("sun\($0)")) }
    )
    replies[.feed] = .document(names.map { "&\($0)" }.joined(separator: " "))
    let bench = SyncBench(replies)

    let facts = await bench.facts(plan { ($0.storedBytes, $0.listedFeeds) = (100, 1) })

    let asked = bench.network.addresses.count(where: { $0 != .feed })
    #expect(asked <= SyncLimits.feedsReadAtOnce)
    let bound = FeedBounds.Bound.storedBytes(100)
    let failure = Failure.feed(.listedBeyondBound(bound, unasked: count - asked))
    #expect(facts.problems == [SyncProblem(subject: .feed, address: .feed, failure: failure)])
    #expect(facts.summaries.last?.status == .failed)
    #expect(facts.summaries.last?.problems == facts.problems)
  }

  @Test func `feeds that the user has named are not held to what lists may bring`() async {
    let bench = SyncBench([.feed: .document("sun"), .page("a"): .document("moon star")])
    let plan = plan { $0.listedFeeds = 0 }

    let facts = await bench.facts(plan)

    #expect(facts.problems == [])
  }

  @Test func `the feeds of a list are held to them in later syncs of all feeds, too`() async {
    let bench = SyncBench([.feed: .document("&a"), .page("a"): .document("sun")])
    bench.store.keep(list: Feed(id: 1, address: .feed), of: [.page("a")])
    var plan = SyncPlan(
      feeds: [.feed, .page("a")],
      lists: [.feed],
      fetchesThumbnails: false,
      isEveryFeed: true
    )
    plan.bounds.listedFeeds = 0

    let facts = await bench.facts(plan)

    #expect(!bench.network.addresses.contains(.page("a")))
    let bound = FeedBounds.Bound.storedBytes(0)
    let failure = Failure.feed(.listedBeyondBound(bound, unasked: 1))
    #expect(facts.problems.map(\.failure) == [failure])
  }

  @Test func `each bound of what lists may bring is told, and none is reached without limits`() {
    var bounds = FeedBounds()
    (bounds.storedBytes, bounds.documentBytes, bounds.seconds) = (10, 20, 30)
    bounds.listedFeeds = 2
    let less = DocumentCost(storedBytes: 19, documentBytes: 39, seconds: 59)

    #expect(bounds.bound(onListed: less) == nil)
    #expect(bounds.bound(onListed: DocumentCost(storedBytes: 20)) == .storedBytes(20))
    #expect(bounds.bound(onListed: DocumentCost(documentBytes: 40)) == .documentBytes(40))
    #expect(bounds.bound(onListed: DocumentCost(seconds: 60)) == .seconds(60))
    let much = DocumentCost(storedBytes: 1 << 60, documentBytes: 1 << 60, seconds: 1e15)
    #expect(FeedBounds.none.bound(onListed: much) == nil)
  }

  @Test func `a document is not stored where the disk has no more room than is left free`() async {
    let bench = SyncBench([.feed: .document("moon")], store: FaultyLibrary(failing: [.checkRoom]))

    let facts = await bench.facts(.documentOnly)

    #expect(facts.problems.map(\.failure) == [.store(FaultyLibrary.fullDisk)])
    #expect(!bench.store.events.contains(.appended(["moon"])))
  }

  @Test func `no thumbnail is stored there, and no more are asked for than at once`() async {
    let bench = SyncBench(
      [.feed: FakeReply(status: 304)],
      store: FaultyLibrary(failing: [.checkRoom])
    )
    _ = bench.know("moon")

    let facts = await bench.facts()

    #expect(facts.problems.map(\.failure) == [.store(FaultyLibrary.fullDisk)])
    #expect(bench.store.thumbnails == [])
  }

  @Test func `no original comes there`() async {
    let store = FaultyLibrary(failing: [.checkRoom])
    let bench = SyncBench([.feed: FakeReply(status: 304)], store: store)
    _ = bench.know("moon")
    let plan = SyncPlan(feeds: [.feed], fetchesThumbnails: false, fetchesOriginals: true)

    let facts = await bench.facts(plan)

    #expect(facts.problems.map(\.failure) == [.store(FaultyLibrary.fullDisk)])
    #expect(facts.summaries.map(\.originals.stored) == [0])
  }
}
