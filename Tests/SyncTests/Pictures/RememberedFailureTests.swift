import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

struct RememberedFailureTests {
  private let clock = Clock()

  /// A feed of "moon", whose thumbnail and original have this reply.
  private func bench(_ reply: FakeReply, after earlier: SyncBench? = nil) -> SyncBench {
    SyncBench(
      [.feed: .document("moon"), .thumbnail("moon"): reply, .original("moon"): reply],
      store: earlier?.store ?? FaultyLibrary(),
      clock: clock
    )
  }

  private let notFound = FakeReply(status: 404)
  private let down = FakeReply(status: 503)
  private let unreachable = FakeReply(refusal: .unreachable)

  @Test func `remembers why, in words, and when to try again`() async {
    let bench = bench(notFound)

    _ = await bench.facts(.everything)

    func memory(_ address: WebAddress) -> RememberedFailure {
      let picture = FailedPicture(
        imageID: 1,
        address: address,
        failureClass: .permanent,
        reason: SyncBench.words(.status(404)),
        failed: SyncBench.now
      )
      return .init(picture: picture, tries: 1, retry: SyncBench.now + 5 * 86_400)
    }
    #expect(bench.store.failed(.thumbnail) == [memory(.thumbnail("moon"))])
    #expect(bench.store.failed(.original) == [memory(.original("moon"))])
  }

  @Test func `does not ask again before that, and counts it as waiting, without a problem`() async {
    let bench = bench(notFound)
    _ = await bench.facts(.everything)
    let asked = bench.network.requests.count
    clock.go(4 * 86_400)

    let facts = await bench.facts(.everything)

    #expect(bench.network.addresses.dropFirst(asked) == [.feed])
    #expect(facts.problems == [])
    func heldBack(_ kind: PictureKind) -> TransferCounts {
      let retry = SyncBench.now + 5 * 86_400
      let reason = SyncBench.words(.status(404))
      let group = FailureGroup(kind: kind, count: 1, reason: reason, retry: retry)
      return TransferCounts(waiting: 1, heldBack: [group])
    }
    #expect(facts.summaries.map(\.thumbnails) == [heldBack(.thumbnail)])
    #expect(facts.summaries.map(\.originals) == [heldBack(.original)])
  }

  @Test func `asks again when the time has come, and forgets the failure with the picture`() async {
    let first = bench(notFound)
    _ = await first.facts(.everything)
    clock.go(5 * 86_400)
    let second = bench(.picture(PictureBytes.jpeg), after: first)

    let summaries = await second.summaries(.everything)

    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(summaries.map(\.originals) == [TransferCounts(stored: 1)])
    #expect(second.store.failed(.thumbnail) == [])
    #expect(second.store.failed(.original) == [])
  }

  @Test(arguments: [
    SyncPlan(feeds: [.feed], fetchesOriginals: true, retriesFailed: true),
    SyncPlan(feeds: [.feed], fetchesOriginals: true, isForced: true),
  ])
  func `asks at once when it is told to`(_ plan: SyncPlan) async {
    let bench = bench(notFound)
    _ = await bench.facts(.everything)
    let asked = bench.network.requests.count

    let facts = await bench.facts(plan)

    let expected: [WebAddress] = [.feed, .thumbnail("moon"), .original("moon")]
    #expect(bench.network.addresses.dropFirst(asked) == expected[...])
    #expect(facts.problems.count == 2)
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(failed: 1)])
    #expect(facts.summaries.map(\.originals) == [TransferCounts(failed: 1)])
  }

  @Test func `asks with the next sync when only the network was away`() async {
    let first = bench(unreachable)
    _ = await first.facts()
    let second = bench(.picture(PictureBytes.jpeg), after: first)

    let summaries = await second.summaries()

    #expect(first.store.thumbnails.count == 1)
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
  }

  @Test func `waits twice as long after each further failure of its class`() async {
    let bench = bench(down)
    _ = await bench.facts()
    clock.go(600)
    _ = await bench.facts()
    clock.go(600)
    let asked = bench.network.requests.count
    _ = await bench.facts()
    let between = bench.network.requests.count - asked
    clock.go(600)
    _ = await bench.facts()

    #expect(between == 1)
    #expect(bench.store.failed(.thumbnail).map(\.tries) == [3])
  }

  @Test func `tells once that a host wants a pause, and lets its other pictures wait`() async {
    let until = SyncBench.now + 3_600
    let paused = FakeReply(refusal: .paused(until: until))
    let names = ["sun", "moon", "star"]
    var replies: [WebAddress: FakeReply] = [.feed: .document("sun moon star")]
    for name in names { replies[.thumbnail(name)] = paused }
    let bench = SyncBench(replies, clock: clock)

    let facts = await bench.facts()
    let asked = bench.network.requests.count
    clock.go(3_599)
    let during = await bench.facts()

    #expect(facts.problems.map(\.subject) == [.thumbnail])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(failed: 1, waiting: 2)])
    #expect(bench.network.addresses.dropFirst(asked) == [.feed])
    #expect(during.problems == [])
    #expect(during.summaries.map(\.thumbnails.waiting) == [3])
    #expect(during.summaries.flatMap(\.thumbnails.heldBack).reduce(0) { $0 + $1.count } == 3)
    clock.go(1)
    _ = await bench.facts()
    #expect(bench.network.requests.count == asked + 1 + 4)
  }

  @Test func `remembers no error of the library`() async {
    let store = FaultyLibrary(failing: [.commitOriginal])
    let bench = SyncBench([.feed: .document("moon")], store: store, clock: clock)

    _ = await bench.facts(.everything)

    #expect(store.failed(.original) == [])
  }

  @Test func `tells when it cannot remember an original's failure`() async {
    let store = FaultyLibrary(failing: [.noteOriginals])
    let bench = SyncBench(
      [.feed: .document("moon"), .original("moon"): notFound],
      store: store,
      clock: clock
    )

    let facts = await bench.facts(.everything)

    #expect(facts.problems.map(\.failure) == [.status(404), .store(FaultyLibrary.fullDisk)])
  }

  @Test func `counts the bytes of a transfer that failed`() async {
    let page = FakeReply.picture(Array("<html>".utf8))
    let bench = bench(page)

    let run = bench.start(.everything)
    let summaries = await run.allFacts().summaries

    let document = FakeReply.headerBytes + 4
    let expected = document + FakeReply.headerBytes + 6 + 6
    #expect(summaries.map(\.bytes) == [expected])
    #expect(run.progress.snapshot.bytes == expected)
  }
}
