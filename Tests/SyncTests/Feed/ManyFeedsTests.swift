import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(10)))
struct ManyFeedsTests {
  @Test func `one that fails leaves the others alone`() async {
    let bench = SyncBench([
      .sample("a"): .document("sun"), .sample("b"): FakeReply(status: 500),
      .sample("c"): .document("moon star"),
    ])

    let summaries = await bench.summaries(.of("a", "b", "c"))

    let statuses = Dictionary(uniqueKeysWithValues: summaries.map { ($0.address, $0.status) })
    #expect(
      statuses == [.sample("a"): .updated, .sample("b"): .failed, .sample("c"): .updated]
    )
    #expect(bench.store.thumbnails.count == 3)
  }

  @Test func `one that waits for its server does not hold up another`() async {
    let gate = Gate()
    let bench = SyncBench([.sample("a"): .held(by: gate), .sample("b"): .document("moon")])

    let run = bench.start(.of("a", "b"))
    var facts = run.facts.makeAsyncIterator()
    let first = await facts.next()
    gate.open()

    #expect([first].compactMap { $0 }.summaries.map(\.address) == [.sample("b")])
  }

  @Test func `only ends when there is no feed`() async {
    let bench = SyncBench([:])

    #expect(await bench.facts(.of()) == [.ended(SyncEnd(isInterrupted: false))])
  }
}

extension SyncPlan {
  static func of(_ names: String...) -> SyncPlan { of(names) }

  static func of(_ names: [String]) -> SyncPlan {
    SyncPlan(feeds: names.map { .sample($0) }, fetchesThumbnails: true)
  }
}
