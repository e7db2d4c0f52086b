import Models
import TestSupport
import Testing
import Workers

/// Thumbnails of a long document, which the sync fetches before the document ends.
@Suite(.timeLimit(.minutes(60)))
struct FetchingAheadTests {
  private let gate = Gate()
  private let names = (1...600).map { "image\($0)" }

  /// A feed of 600 images, or fewer, whose end arrives only after the gate is opened.
  private func bench(
    _ replies: [WebAddress: FakeReply] = [:],
    images: Int = 600,
    store: FaultyLibrary = FaultyLibrary(),
    breakage: NetworkError.Reason? = nil
  ) -> SyncBench {
    let text = names.prefix(images).joined(separator: " ")
    var document = FakeReply.document(text, "+last")
    document.endGate = gate
    document.breakage = breakage
    return SyncBench(replies.merging([.feed: document]) { $1 }, store: store)
  }

  /// The facts of a sync; the gate opens once this many pictures have been answered.
  private func facts(
    _ bench: SyncBench,
    _ plan: SyncPlan = SyncPlan(feeds: [.feed]),
    openingAfter answers: Int
  ) async -> [SyncFact] {
    let run = bench.start(plan)
    await bench.network.answers.reaches(answers)
    gate.open()
    return await run.allFacts()
  }

  private func requests(_ bench: SyncBench, for name: String) -> Int {
    bench.network.addresses.count { $0 == .thumbnail(name) }
  }

  @Test func `stores all that is stored of the document, and then the rest`() async {
    let bench = bench()

    let summaries = await facts(bench, openingAfter: 600).summaries

    #expect(bench.network.addresses.count == 602)
    #expect(Set(bench.network.addresses).count == 602)
    #expect(bench.store.thumbnails.count == 601)
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 601)])
    #expect(summaries.map(\.images) == [ImageCounts(total: 601, new: 601)])
  }

  @Test func `begins as soon as 50 images have come`() async {
    let bench = bench(images: 50)

    let summaries = await facts(bench, openingAfter: 50).summaries

    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 51)])
  }

  @Test func `stores what it has before it waits for more of the document`() async throws {
    let bench = bench(images: 50)

    let run = bench.start(SyncPlan(feeds: [.feed]))
    while bench.store.thumbnails.count < 50 { try await Task.sleep(for: .milliseconds(5)) }
    gate.open()
    let summaries = await run.allFacts().summaries

    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 51)])
  }

  @Test func `goes on with what is stored meanwhile while one picture keeps it waiting`() async {
    let held = Gate()
    let bench = bench([.thumbnail("image1"): .held(by: held)])

    let run = bench.start(SyncPlan(feeds: [.feed]))
    await bench.network.answers.reaches(599)
    held.open()
    gate.open()
    let summaries = await run.allFacts().summaries

    #expect(Set(bench.network.addresses).count == 602)
    #expect(bench.network.addresses.count == 602)
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 601)])
  }

  @Test func `counts what there is to fetch before it is fetched`() async {
    let held = Gate()
    var replies: [WebAddress: FakeReply] = [:]
    for name in names { replies[.thumbnail(name)] = .held(by: held) }
    let bench = bench(replies)

    let run = bench.start(SyncPlan(feeds: [.feed]))
    await held.arrivals.reaches(64)
    let before = run.progress.snapshot.thumbnails
    held.open()
    gate.open()
    _ = await run.allFacts()

    #expect((50...600).contains(before.total))
    #expect(before.done == 0)
    #expect(run.progress.snapshot.thumbnails.total == 601)
    #expect(run.progress.snapshot.thumbnails.done == 601)
  }

  @Test func `asks once for what fails, and once for what is due at once`() async {
    var webcam = FakeReply.picture(PictureBytes.jpeg)
    webcam.freshSeconds = 0
    let missing = FakeReply(status: 404)
    let bench = bench([.thumbnail("image7"): missing, .thumbnail("image8"): webcam])
    let plan = SyncPlan(feeds: [.feed], retriesFailed: true)

    let facts = await facts(bench, plan, openingAfter: 600)

    #expect(requests(bench, for: "image7") == 1)
    #expect(requests(bench, for: "image8") == 1)
    #expect(facts.problems.map(\.address) == [.thumbnail("image7")])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 600, failed: 1)])
  }

  @Test func `keeps what it has when the document breaks off`() async {
    let bench = bench(breakage: .tooLarge(limit: 1))

    let summaries = await facts(bench, openingAfter: 600).summaries

    #expect(summaries.map(\.status) == [.failed])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 600)])
    #expect(bench.store.thumbnails.count == 600)
  }

  @Test func `tells once of a store that takes nothing`() async {
    let bench = bench(store: FaultyLibrary(failing: [.storeThumbnails]))

    let facts = await facts(bench, openingAfter: 1)

    let problem = SyncProblem(
      subject: .feed,
      address: .feed,
      failure: .store(FaultyLibrary.fullDisk)
    )
    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(waiting: 601)])
  }

  @Test func `tells once of a store that cannot be read`() async {
    let bench = bench(store: FaultyLibrary(failing: [.findThumbnails]))
    gate.open()

    let facts = await bench.facts()

    let problem = SyncProblem(
      subject: .feed,
      address: .feed,
      failure: .store(FaultyLibrary.fullDisk)
    )
    #expect(facts.problems == [problem])
  }

  @Test(arguments: [
    SyncPlan(feeds: [.feed], isForced: true), SyncPlan(feeds: [.feed], isDryRun: true),
    SyncPlan(feeds: [.feed], fetchesThumbnails: false),
  ])
  func `waits for the whole document where all are asked for again, or none`(
    plan: SyncPlan
  ) async {
    let bench = bench()

    let run = bench.start(plan)
    await gate.arrivals.reaches(1)
    let before = bench.network.addresses
    gate.open()
    _ = await run.allFacts()

    #expect(before == [.feed])
  }

  @Test func `ends with what came whole when it is stopped`() async {
    let held = Gate()
    let bench = bench([.thumbnail("image500"): .held(by: held)])

    let run = bench.start(SyncPlan(feeds: [.feed]))
    await held.arrivals.reaches(1)
    run.stop()
    let facts = await run.allFacts()

    #expect(facts.last == .ended(SyncEnd(isInterrupted: true)))
    #expect(facts.problems == [])
    let stored = bench.store.thumbnails.count
    #expect(facts.summaries.map(\.thumbnails.stored) == [stored])
    #expect(facts.summaries.map(\.thumbnails.waiting) == [600 - stored])
  }
}
