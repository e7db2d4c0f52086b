import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

/// The requests of a sync to the fetcher of originals, and the facts that follow from its answers.
struct SyncBudgetTests {
  private let clock = Clock()

  private func bench(_ originals: FakeOriginals, words: String = "a b c") -> SyncBench {
    SyncBench([.feed: .document(words)], clock: clock, originals: originals)
  }

  private func plan(_ feeds: [WebAddress] = [.feed], bytes: Int? = nil) -> SyncPlan {
    SyncPlan(feeds: feeds, fetchesThumbnails: false, fetchesOriginals: true, originalBytes: bytes)
  }

  @Test func `lets those wait that the budget has no room for, without a problem`() async {
    let bench = bench(FakeOriginals(bytes: 10))

    let run = bench.start(plan(bytes: 25))
    let facts = await run.allFacts()

    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.originals) == [TransferCounts(stored: 2, waiting: 1)])
    #expect(bench.store.failed(.original) == [])
    #expect(run.progress.snapshot.originals == SyncProgress.Part(done: 3, total: 3))
  }

  @Test func `begins none once the budget is spent`() async {
    let names = (1...40).map { "image\($0)" }
    let originals = FakeOriginals(bytes: 10)
    let bench = bench(originals, words: names.joined(separator: " "))

    let run = bench.start(plan(bytes: 0))
    let summaries = await run.allFacts().summaries

    #expect(originals.requests == [])
    #expect(summaries.map(\.originals) == [TransferCounts(waiting: 40)])
    #expect(run.progress.snapshot.originals == SyncProgress.Part())
  }

  @Test func `has one budget for all feeds of a run`() async {
    let feeds = ["one", "two"].map { WebAddress.sample($0) }
    let bench = SyncBench(
      [feeds[0]: .document("a b"), feeds[1]: .document("c d")],
      originals: FakeOriginals(bytes: 10)
    )

    let summaries = await bench.summaries(plan(feeds, bytes: 30))

    #expect(summaries.reduce(0) { $0 + $1.originals.stored } == 3)
    #expect(summaries.reduce(0) { $0 + $1.originals.waiting } == 1)
  }

  @Test func `asks for all there are without a budget`() async {
    let bench = bench(FakeOriginals(bytes: 1 << 40))

    let summaries = await bench.summaries(plan())

    #expect(summaries.map(\.originals) == [TransferCounts(stored: 3)])
  }

  @Test func `has a stored one that is due checked, and counts it when it has changed`() async {
    for isNews in [true, false] {
      let originals = FakeOriginals(isNews: isNews)
      let bench = bench(originals, words: "moon")
      _ = bench.know("moon")
      bench.store.keepOriginal(.sample(imageID: 1), imageID: 1, check: clock.now)

      let summaries = await bench.summaries(plan())

      #expect(originals.requests.map(\.isCheck) == [true])
      #expect(summaries.map(\.originals) == [TransferCounts(stored: isNews ? 1 : 0)])
    }
  }

  @Test func `leaves a stored one alone that is not due`() async {
    let originals = FakeOriginals()
    let bench = bench(originals, words: "moon")
    _ = bench.know("moon")
    bench.store.keepOriginal(.sample(imageID: 1), imageID: 1, check: clock.now + 1)

    _ = await bench.facts(plan())

    #expect(originals.requests == [])
  }

  @Test func `a check that fails is told, counted and put off`() async {
    let bench = bench(FakeOriginals(failure: .status(500)), words: "moon")
    _ = bench.know("moon")
    bench.store.keepOriginal(.sample(imageID: 1), imageID: 1, check: clock.now)

    let facts = await bench.facts(plan())
    let again = await bench.facts(plan())

    #expect(facts.problems.map(\.failure) == [.status(500)])
    #expect(facts.summaries.map(\.originals) == [TransferCounts(failed: 1)])
    #expect(again.problems == [])
  }
}
