import Models
import TestSupport
import Testing
import Workers

@testable import Sync

@Suite(.timeLimit(.minutes(60)))
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

  @Test func `a new one waits until those that were named before it have their ids`() async {
    let gate = Gate()
    var slow = FakeReply.document("sun")
    slow.gate = gate
    let bench = SyncBench([.sample("a"): slow, .sample("b"): .document("moon")])

    // The second one looks for its turn, and only then does the first one get its answer.
    let run = bench.start(.of("a", "b")) { duration in
      gate.open()
      try Task.checkCancellation()
      // The number of its looks is limited, and the first one takes its time on a busy machine.
      while duration == SyncLimits.betweenLooks, try await bench.store.feeds().isEmpty {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    _ = await run.allFacts()

    let feeds = await (try? bench.store.feeds()) ?? []
    #expect(feeds.sorted { $0.id < $1.id }.map(\.address) == [.sample("a"), .sample("b")])
  }

  @Test(arguments: [
    (["a", "b", "c"], "a", 0), (["a", "b", "c"], "b", 3), (["a", "b", "c"], "x", 0),
    (["b", "c"], "c", 400), (["b"], "b", 0),
    (["a", "b", "c", "d", "e", "f", "g", "h", "i"], "b", 0),
  ])
  func `waits for its turn only among a few, and not for ever`(
    _ names: [String],
    _ name: String,
    _ looks: Int
  ) async {
    let (_, teller) = AsyncStream<SyncFact>.makeStream()
    let shared = SharedSync(.of(names), SyncProgress(), teller: teller)
    let looked = Locked(0)

    await shared.waitForTurn(of: .sample(name)) { _ in
      let count = looked.withLock { count in
        count += 1
        return count
      }
      if count == 3 { shared.settle(.sample("a")) }
    }

    #expect(looked.withLock { $0 } == looks)
  }

  @Test func `does not wait in a sync of all feeds, in a dry run, and for one that is done`() async
  {
    let (_, teller) = AsyncStream<SyncFact>.makeStream()
    var plan = SyncPlan.of("a", "b")
    let named = SharedSync(plan, SyncProgress(), teller: teller)
    plan.isEveryFeed = true
    let every = SharedSync(plan, SyncProgress(), teller: teller)
    var dry = SyncPlan.of("a", "b")
    dry.isDryRun = true
    let none = SharedSync(dry, SyncProgress(), teller: teller)
    let looked = Locked(0)

    named.settle(.sample("a"))
    for shared in [named, every, none] {
      await shared.waitForTurn(of: .sample("b")) { _ in looked.withLock { $0 += 1 } }
    }

    #expect(looked.withLock { $0 } == 0)
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
