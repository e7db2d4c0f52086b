import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct DocumentReadingTests {
  private let validators = SyncBench.validators

  @Test func `stores images, then the end with its validators, then pictures, then all for good`()
    async
  {
    let bench = SyncBench([.feed: .document("sun ", "moon +star", validators: validators)])

    _ = await bench.facts()

    #expect(
      bench.store.events == [
        .appended(["sun", "moon", "star"]),
        .finished(validators, isWhole: true, false),
        .storedThumbnails([1, 2, 3]),
        .flushed,
      ]
    )
  }

  @Test func `tells what the document did`() async {
    let bench = SyncBench([.feed: .document("sun moon")])
    _ = bench.know("moon")

    let facts = await bench.facts(.documentOnly)

    var feed = Feed(
      id: 7,
      address: .feed,
      title: "Words",
      format: .json,
      imageCount: 2,
      documentImageCount: 2,
      lastSync: SyncBench.now,
      status: .updated
    )
    feed.schedule.take(.changed, ofFeed: 7, allowed: nil, now: SyncBench.now)
    let summary = FeedSyncSummary(
      address: .feed,
      feed: feed,
      status: .updated,
      images: ImageCounts(total: 2, new: 1),
      newIDs: [2...2],
      thumbnails: TransferCounts(waiting: 2),
      bytes: 108
    )
    #expect(facts == [.feedFinished(summary), .ended(SyncEnd(isInterrupted: false))])
  }

  @Test func `is unchanged when the document brought nothing new`() async {
    let bench = SyncBench([.feed: .document("moon")])
    _ = bench.know("moon")

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.status) == [.unchanged])
  }

  @Test(arguments: [
    ([1_900], [50, 100, 200, 400, 500, 500, 150]), ([499, 1, 1], [50, 100, 200, 151]),
    ([300, 300, 300], [50, 100, 200, 400, 150]), ([20, 40], [50, 10]),
  ])
  func `writes the first 50 images at once, then twice as many each time up to 500`(
    chunks: [Int],
    batches: [Int]
  ) async {
    var reply = FakeReply()
    for (index, count) in chunks.enumerated() {
      let names = (0..<count).map { "image\(index)-\($0)" }
      reply.chunks.append(Array(names.joined(separator: " ").utf8))
    }
    let bench = SyncBench([.feed: reply])

    _ = await bench.facts(.documentOnly)

    #expect(bench.store.batches.map(\.count) == batches)
    #expect(Set(bench.store.batches.joined()).count == chunks.reduce(0, +))
  }

  @Test func `writes twice as many together of a document that has turned out to be long`() async {
    var reply = FakeReply()
    for chunk in 0..<6 {
      let names = (0..<2_000).map { "image\(chunk)-\($0)" }
      reply.chunks.append(Array(names.joined(separator: " ").utf8))
    }
    let bench = SyncBench([.feed: reply])

    _ = await bench.facts(.documentOnly)

    let early = [50, 100, 200, 400] + Array(repeating: 500, count: 19)
    #expect(bench.store.batches.map(\.count) == early + [1_000, 750])
  }

  @Test func `writes what came while the rest is still on its way`() async {
    let gate = Gate()
    var reply = FakeReply.document((1...600).map { "image\($0)" }.joined(separator: " "))
    reply.endGate = gate
    let bench = SyncBench([.feed: reply])

    let run = bench.start(.documentOnly)
    await gate.arrivals.reaches(1)
    await bench.store.imageBatches.reaches(4)
    let batches = bench.store.batches
    gate.open()
    _ = await run.allFacts()

    #expect(batches.map(\.count) == [50, 100, 200, 250])
  }

  @Test func `keeps no validators of a document with a loss, and tells the loss`() async {
    let format = FakeFormat(flaws: [.malformedEntry])
    let bench = SyncBench([.feed: .document("moon", validators: validators)], format: format)

    let facts = await bench.facts(.documentOnly)

    #expect(
      bench.store.events == [
        .appended(["moon"]), .finished(Validators(), isWhole: true, false), .flushed,
      ]
    )
    let problem = SyncProblem(
      subject: .document,
      address: .feed,
      failure: .flaw(.malformedEntry)
    )
    #expect(facts.first == .problem(problem))
    #expect(facts.summaries.map(\.status) == [.updated])
    #expect(facts.summaries.map(\.problems) == [[problem]])
    #expect(problem.severity == .warning)
  }

  @Test func `keeps the validators of a document with a blemish, and tells it as one`() async {
    let format = FakeFormat(flaws: [.undeclaredPrefix])
    let bench = SyncBench([.feed: .document("moon", validators: validators)], format: format)

    let facts = await bench.facts(.documentOnly)

    #expect(
      bench.store.events == [
        .appended(["moon"]), .finished(validators, isWhole: true, false), .flushed,
      ]
    )
    #expect(facts.summaries.flatMap(\.problems).map(\.severity) == [.blemish])
  }
}

extension FaultyLibrary {
  fileprivate var batches: [[String]] {
    events.compactMap { if case .appended(let names) = $0 { names } else { nil } }
  }
}
