import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

/// The requests about stored thumbnails, and the effects of their answers.
struct ThumbnailCheckTests {
  private let clock = Clock()
  private let validators = Validators(entityTag: "\"old\"", lastModified: "Mon")
  private let other = PictureBytes.jpeg + [0]

  /// The next sync of a feed of "moon" after earlier ones.
  private func bench(_ reply: FakeReply, after earlier: SyncBench? = nil) -> SyncBench {
    SyncBench(
      [.feed: .document("moon"), .thumbnail("moon"): reply],
      store: earlier?.store ?? FaultyLibrary(),
      clock: clock
    )
  }

  private func picture(_ bytes: [UInt8] = PictureBytes.jpeg, fresh: Int? = nil) -> FakeReply {
    var reply = FakeReply.picture(bytes)
    reply.validators = validators
    reply.freshSeconds = fresh
    return reply
  }

  /// A feed whose thumbnail is stored and has been due for some seconds.
  private func dueBench(_ reply: FakeReply) async -> SyncBench {
    let first = bench(picture(fresh: 60))
    _ = await first.facts()
    clock.go(100)
    return bench(reply, after: first)
  }

  @Test func `asks for a fresh one no more than once`() async {
    let bench = bench(picture(fresh: 60))
    _ = await bench.facts()
    clock.go(59)

    _ = await bench.facts()

    #expect(bench.network.addresses == [.feed, .thumbnail("moon"), .feed])
  }

  @Test func `asks for one with its validators when its time has run out`() async {
    var reply = FakeReply(status: 304)
    reply.freshSeconds = 30
    let bench = await dueBench(reply)

    let facts = await bench.facts()

    #expect(bench.network.requests.last?.validators == validators)
    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts()])
    #expect(facts.summaries.map(\.bytes) == [2 * FakeReply.headerBytes + 4])
    let kept = UnchangedPicture(
      imageID: 1,
      address: .thumbnail("moon"),
      validators: nil,
      checkDate: clock.now + 30
    )
    #expect(bench.store.events.contains(.keptThumbnails([kept])))
    #expect(bench.store.thumbnailBatches == [[1]])
  }

  @Test func `takes what a 304 renews of the validators, and keeps the rest`() async {
    var reply = FakeReply(status: 304)
    reply.validators.entityTag = "\"new\""
    let bench = await dueBench(reply)

    _ = await bench.facts()

    let renewed = Validators(entityTag: "\"new\"", lastModified: "Mon")
    #expect(bench.store.thumbnails.map(\.validators) == [renewed])
  }

  @Test func `keeps the stored one when the same bytes come`() async {
    let bench = await dueBench(.picture(PictureBytes.jpeg))

    let summaries = await bench.summaries()

    #expect(summaries.map(\.thumbnails) == [TransferCounts()])
    #expect(bench.store.thumbnails.map(\.fetched) == [SyncBench.now])
    #expect(bench.store.thumbnails.map(\.validators) == [Validators()])
    // The next check is due after a tenth of the time for which the picture has not changed.
    #expect(bench.store.thumbnailCheck(imageID: 1) == clock.now + 10)
  }

  @Test func `stores another one in its place, and soon asks again`() async {
    let bench = await dueBench(.picture(other))

    let summaries = await bench.summaries()

    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(bench.store.thumbnails.map(\.bytes) == [other])
    #expect(bench.store.thumbnailCheck(imageID: 1) == clock.now)
  }

  @Test func `keeps the stored one when the answer fails, and asks again later`() async {
    let bench = await dueBench(FakeReply(status: 503))

    let facts = await bench.facts()

    #expect(facts.problems.map(\.failure) == [.status(503)])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(failed: 1)])
    #expect(bench.store.thumbnails.map(\.bytes) == [PictureBytes.jpeg])
    #expect(bench.store.thumbnailCheck(imageID: 1) == clock.now + 600)
    #expect(bench.store.failed(.thumbnail).map(\.tries) == [1])
  }

  @Test func `does not take a 304 for an answer to a request without validators`() async {
    let first = bench(.picture(PictureBytes.jpeg))
    _ = await first.facts()
    let second = bench(FakeReply(status: 304), after: first)

    let facts = await second.facts()

    #expect(facts.problems.map(\.failure) == [.status(304)])
  }

  @Test func `asks for what is missing and about what is due, for nothing twice`() async {
    let first = SyncBench([.feed: .document("moon")], clock: clock)
    _ = await first.facts()
    let second = SyncBench([.feed: .document("moon sun")], store: first.store, clock: clock)

    let run = second.start(SyncPlan(feeds: [.feed]))
    let summaries = await run.allFacts().summaries

    #expect(second.network.addresses.first == .feed)
    #expect(second.network.addresses.count == 3)
    #expect(Set(second.network.addresses.dropFirst()) == [.thumbnail("sun"), .thumbnail("moon")])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(run.progress.snapshot.thumbnails == SyncProgress.Part(done: 2, total: 2))
  }

  @Test func `asks about very many, each once`() async {
    let names = (1...1_100).map { "image\($0)" }
    let bench = SyncBench([.feed: FakeReply(status: 304)], clock: clock)
    _ = bench.know(names)
    _ = await bench.facts()
    let asked = bench.network.requests.count

    let summaries = await bench.summaries()

    let again = bench.network.addresses.dropFirst(asked + 1)
    #expect(again.count == 1_100)
    #expect(Set(again) == Set(names.map { .thumbnail($0) }))
    #expect(summaries.map(\.thumbnails) == [TransferCounts()])
  }

  @Test func `asks about nothing when the plan is without thumbnails`() async {
    let bench = await dueBench(FakeReply(status: 304))

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.addresses == [.feed])
  }

  @Test func `asks without validators when it is forced`() async {
    let bench = await dueBench(picture())

    let summaries = await bench.summaries(SyncPlan(feeds: [.feed], isForced: true))

    #expect(bench.network.requests.last?.validators == Validators())
    #expect(bench.network.addresses == [.feed, .thumbnail("moon")])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
  }

  @Test func `tells once that the library cannot say what is due`() async {
    let store = FaultyLibrary(failing: [.findDueThumbnails])
    let bench = SyncBench([.feed: .document("moon")], store: store, clock: clock)

    let facts = await bench.facts()

    #expect(facts.problems.map(\.failure) == [.store(FaultyLibrary.fullDisk)])
  }
}
