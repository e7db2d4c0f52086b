import Models
import TestSupport
import Testing
import Workers

struct ManyUnchangedFeedsTests {
  private let names = ["a", "b", "c"]

  @Test func `are brought to the disk together`() async {
    let bench = bench(for: names)

    let summaries = await bench.start(.of(names), pause: Self.never).allFacts().summaries

    let noted = StoreEvent.noted(.unchanged, problem: nil, nil)
    #expect(bench.store.events == [noted, noted, noted, .flushed])
    #expect(summaries.map(\.status) == [.unchanged, .unchanged, .unchanged])
  }

  @Test func `fail together on a disk that takes nothing, each told once`() async {
    let bench = bench(for: names, failing: [.flush])

    let facts = await bench.start(.of(names), pause: Self.never).allFacts()

    let failed = Set(names.map { WebAddress.sample($0) })
    #expect(facts.summaries.map(\.status) == [.failed, .failed, .failed])
    #expect(facts.problems.count == 3)
    #expect(Set(facts.problems.map(\.address)) == failed)
    #expect(facts.problems == facts.summaries.flatMap(\.problems))
  }

  @Test func `do not wait for one that has stored something, nor it for them`() async {
    let bench = bench(for: ["a"], and: [.sample("b"): .document("sun")])

    let run = bench.start(.of("a", "b"), pause: Self.never)
    let summaries = await run.allFacts().summaries

    #expect(bench.store.events.filter { $0 == .flushed }.count == 2)
    #expect(Set(summaries.map(\.status)) == [.unchanged, .updated])
  }

  @Test func `are told when they are many, before the last has ended`() async {
    let gate = Gate()
    let many = (1...70).map { "feed\($0)" }
    let bench = bench(for: many, and: [.sample("slow"): .held(by: gate)])

    let run = bench.start(.of(["slow"] + many), pause: Self.never)
    var facts = run.facts.makeAsyncIterator()
    let first = await facts.next()
    gate.open()

    #expect([first].compactMap { $0 }.summaries.map(\.status) == [.unchanged])
  }

  @Test func `are told after a while, however long another one waits for its server`() async {
    let gate = Gate()
    let bench = bench(for: names, and: [.sample("slow"): .held(by: gate)])

    let run = bench.start(.of(["slow"] + names))
    var facts = run.facts.makeAsyncIterator()
    var told: [SyncFact] = []
    while told.count < names.count, let fact = await facts.next() { told.append(fact) }
    gate.open()

    #expect(told.summaries.map(\.status) == [.unchanged, .unchanged, .unchanged])
  }

  /// Waits until it is cancelled.
  private static let never: @Sendable (Duration) async throws -> Void = { _ in
    try await Task.sleep(for: .seconds(3_600))
  }

  /// A bench with stored feeds that have no images and whose documents have not changed.
  private func bench(
    for names: [String],
    and others: [WebAddress: FakeReply] = [:],
    failing: Set<StoreStep> = []
  ) -> SyncBench {
    var replies = others
    for name in names { replies[.sample(name)] = FakeReply(status: 304) }
    let bench = SyncBench(replies, store: FaultyLibrary(failing: failing))
    for (index, name) in names.enumerated() {
      bench.store.keep(
        Feed(id: Int64(index + 1), address: .sample(name), validators: SyncBench.validators),
        images: [String]()
      )
    }
    return bench
  }
}
