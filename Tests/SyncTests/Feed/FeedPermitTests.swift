import Models
import TestSupport
import Testing
import Workers

/// The number of feeds that are requested, and that are read, at the same time.
@Suite(.timeLimit(.minutes(60)))
struct FeedPermitTests {
  private let gate = Gate()
  private let new = (1...8).map { "new\($0)" }

  @Test func `locks and asks for eight new ones at once`() async {
    let names = (1...10).map { "new\($0)" }
    let bench = bench(new: names)

    let run = bench.start(.of(names))
    await gate.arrivals.reaches(8)
    let locked = bench.store.locks.count
    gate.open()
    let facts = await run.allFacts()

    #expect(locked == 8)
    #expect(bench.network.mostWaiting == 8)
    #expect(facts.summaries.count == 10)
    #expect(facts.last == .ended(SyncEnd(isInterrupted: false)))
  }

  @Test func `asks for all that it knows at once, up to as many as the network takes`() async {
    let names = (1...70).map { "old\($0)" }
    var unchanged = FakeReply(status: 304)
    unchanged.gate = gate
    let bench = bench(known: names, unchanged)

    let run = bench.start(.of(names))
    await gate.arrivals.reaches(64)
    gate.open()
    let facts = await run.allFacts()

    #expect(bench.network.mostWaiting == 64)
    #expect(facts.summaries.map(\.status) == Array(repeating: .unchanged, count: 70))
  }

  @Test func `tells of one that has not changed while eight others are read`() async {
    let bench = bench(new: new, known: ["old"], FakeReply(status: 304))

    let run = bench.start(.of(new + ["old"]))
    var facts = run.facts.makeAsyncIterator()
    let first = await facts.next()
    gate.open()

    #expect([first].compactMap { $0 }.summaries.map(\.status) == [.unchanged])
  }

  @Test func `keeps an answer until it can be read`() async {
    let (bench, asked) = crowdedBench(.document("sun"))
    let isHeld = Gate()

    let run = bench.start(
      .of(new + ["old"]),
      pause: { duration in
        if duration == Self.longestHold { isHeld.open() }
        try await Task.sleep(for: .seconds(3_600))
      }
    )
    await gate.arrivals.reaches(8)
    asked.open()
    await isHeld.passed()
    gate.open()
    let facts = await run.allFacts()

    #expect(bench.network.addresses.count { $0 == .sample("old") } == 1)
    #expect(facts.summaries.first { $0.address == .sample("old") }?.status == .updated)
  }

  @Test func `lets an answer go that waits for too long, and asks again in its turn`() async {
    let (bench, asked) = crowdedBench(.document("sun"))

    let run = bench.start(.of(new + ["old"]))
    await gate.arrivals.reaches(8)
    asked.open()
    await bench.network.letGo.reaches(1)
    gate.open()
    let facts = await run.allFacts()

    #expect(bench.network.addresses.count { $0 == .sample("old") } == 2)
    #expect(facts.summaries.first { $0.address == .sample("old") }?.status == .updated)
  }

  @Test func `fetches pictures of one that has not changed in its turn`() async {
    let (bench, asked) = crowdedBench(FakeReply(status: 304), images: ["sun"])

    let run = bench.start(.of(new + ["old"]))
    await gate.arrivals.reaches(8)
    asked.open()
    while run.progress.snapshot.thumbnails.total == 0 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    let before = bench.network.addresses
    gate.open()
    _ = await run.allFacts()

    #expect(!before.contains(.thumbnail("sun")))
    #expect(bench.network.addresses.contains(.thumbnail("sun")))
  }

  private static let longestHold = Duration.seconds(10)

  /// A bench whose servers delay eight new feeds, and the reply for a known feed, which has a separate
  /// gate.
  private func crowdedBench(
    _ reply: FakeReply,
    images: [String] = []
  ) -> (bench: SyncBench, asked: Gate) {
    let asked = Gate()
    var reply = reply
    reply.gate = asked
    return (bench(new: new, known: ["old"], reply, images: images), asked)
  }

  /// A bench whose servers delay new feeds, and give the same reply for known ones.
  private func bench(
    new: [String] = [],
    known: [String] = [],
    _ reply: FakeReply = FakeReply(),
    images: [String] = []
  ) -> SyncBench {
    var replies: [WebAddress: FakeReply] = [:]
    for name in new { replies[.sample(name)] = .held(by: gate) }
    for name in known { replies[.sample(name)] = reply }
    let bench = SyncBench(replies)
    for (index, name) in known.enumerated() {
      bench.store.keep(
        Feed(id: Int64(index + 1), address: .sample(name), validators: SyncBench.validators),
        images: images
      )
    }
    return bench
  }
}
