import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct SyncProgressTests {
  private let jpegBytes = FakeReply.headerBytes + PictureBytes.jpeg.count

  @Test func `adds up when everything is done`() async {
    let bench = SyncBench([
      .sample("a"): .document("sun ", "+moon"), .sample("b"): FakeReply(status: 500),
      .sample("c"): .document("star"), .thumbnail("star"): FakeReply(status: 404),
    ])
    let feeds = ["a", "b", "c"].map { WebAddress.sample($0) }

    let run = bench.start(SyncPlan(feeds: feeds, fetchesOriginals: true))
    let summaries = await run.allFacts().summaries

    var expected = SyncProgress.Snapshot()
    expected.feeds = SyncProgress.Part(done: 3, total: 3)
    expected.feedsCounted = 3
    expected.images = 3
    expected.thumbnails = SyncProgress.Part(done: 3, total: 3)
    expected.originals = SyncProgress.Part(done: 3, total: 3)
    expected.bytes = 109 + 104 + 5 * jpegBytes + FakeReply.headerBytes
    #expect(run.progress.snapshot.withoutTime == expected)
    #expect(summaries.reduce(0) { $0 + $1.bytes } == expected.bytes)
  }

  @Test func `knows the whole once a document is read, originals included`() async {
    let gate = Gate()
    var held = FakeReply.picture(PictureBytes.jpeg)
    held.gate = gate
    let bench = SyncBench([.feed: .document("sun moon"), .thumbnail("sun"): held])

    // No picture is fetched before the document ends.
    let run = bench.start(SyncPlan(feeds: [.feed], fetchesOriginals: true, isForced: true))
    await gate.arrivals.reaches(1)
    let snapshot = run.progress.snapshot
    gate.open()
    _ = await run.allFacts()

    #expect(snapshot.isCounted)
    #expect(snapshot.feeds == SyncProgress.Part(done: 0, total: 1))
    #expect(snapshot.thumbnails.total == 2)
    #expect(snapshot.originals == SyncProgress.Part(done: 0, total: 2))
  }

  @Test func `counts a list of feeds together with the feeds that it points to`() async {
    let bench = SyncBench([
      .feed: .document("@a @b"), .page("a"): .document("sun"), .page("b"): .document("moon"),
    ])

    let run = bench.start(.documentOnly)
    _ = await run.allFacts()

    #expect(run.progress.snapshot.feeds == SyncProgress.Part(done: 3, total: 3))
    #expect(run.progress.snapshot.feedsCounted == 3)
  }

  @Test func `counts the bytes of an answer without a document`() async {
    let bench = SyncBench([.feed: FakeReply(status: 304)])
    _ = bench.know("moon")

    let run = bench.start(.documentOnly)
    let summaries = await run.allFacts().summaries

    #expect(run.progress.snapshot.bytes == FakeReply.headerBytes)
    #expect(summaries.map(\.bytes) == [FakeReply.headerBytes])
  }

  @Test func `shows what a document has brought while its end is held back`() async {
    let gate = Gate()
    var reply = FakeReply.document("sun moon")
    reply.endGate = gate
    let bench = SyncBench([.feed: reply])

    let run = bench.start(.documentOnly)
    await gate.arrivals.reaches(1)
    let snapshot = run.progress.snapshot.withoutTime
    gate.open()
    _ = await run.allFacts()

    var expected = SyncProgress.Snapshot()
    expected.feeds = SyncProgress.Part(done: 0, total: 1)
    expected.images = 2
    expected.bytes = 108
    #expect(snapshot == expected)
  }
}

extension SyncProgress.Snapshot {
  fileprivate var withoutTime: SyncProgress.Snapshot {
    var copy = self
    copy.elapsed = .zero
    return copy
  }
}
