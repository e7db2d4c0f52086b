import Models
import TestSupport
import Testing
import Workers

struct DryRunTests {
  private let plan = SyncPlan(feeds: [.feed], fetchesOriginals: true, isDryRun: true)

  @Test func `asks for the document, and writes nothing`() async {
    let bench = SyncBench([.feed: .document("sun moon star")])
    bench.store.keep(Feed(id: 7, address: .feed), images: ["moon"])

    let summaries = await bench.summaries(plan)

    #expect(bench.network.addresses == [.feed])
    #expect(bench.store.events == [])
    #expect(bench.store.locks == [])
    #expect(summaries.map(\.status) == [.updated])
    #expect(summaries.map(\.isDryRun) == [true])
    #expect(summaries.map(\.isUnknown) == [false])
    #expect(summaries.map(\.images) == [ImageCounts(total: 3, new: 2)])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(waiting: 3)])
    #expect(summaries.map(\.originals) == [TransferCounts(waiting: 3)])
  }

  @Test(arguments: [304, 500]) func `writes nothing where there is no document`(status: Int) async {
    let bench = SyncBench([.feed: FakeReply(status: status)])
    bench.store.keep(
      Feed(id: 7, address: .feed, documentImageCount: 1, validators: SyncBench.validators),
      images: ["moon"]
    )

    let summaries = await bench.summaries(plan)

    #expect(bench.store.events == [])
    #expect(summaries.map(\.status) == [status == 304 ? .unchanged : .failed])
    #expect(summaries.map(\.images.total) == [1])
    #expect(summaries.map(\.originals) == [TransferCounts(waiting: 1)])
  }

  @Test func `tells the bytes that the feed declares of originals`() async {
    let bench = SyncBench([.feed: FakeReply(status: 304)])
    var moon = FeedImage(named: "moon")
    moon.bytes = 1_234
    let feed = Feed(id: 7, address: .feed, validators: SyncBench.validators)
    bench.store.keep(feed, images: [moon, FeedImage(named: "sun")])

    let summaries = await bench.summaries(plan)

    #expect(summaries.map(\.originals.waitingBytes) == [1_234])
  }

  @Test func `explains entries, also of a document that has not changed, and writes nothing`() async
  {
    let bench = SyncBench([.feed: .document("sun -words moon", validators: SyncBench.validators)])
    let feed = Feed(id: 7, address: .feed, validators: SyncBench.validators)
    bench.store.keep(feed, images: [FeedImage(named: "moon")])

    let facts = await bench.facts(SyncPlan(feeds: [.feed], isDryRun: true, isExplained: true))

    #expect(
      facts.explanations == ["sun", "-words", "moon"].map { EntryExplanation(title: $0) }
    )
    #expect(facts.summaries.map(\.images) == [ImageCounts(total: 2, new: 1)])
    #expect(bench.store.events == [])
  }

  @Test func `explains nothing unless it is asked to`() async {
    let bench = SyncBench([.feed: .document("sun")])

    #expect(await bench.facts(plan).explanations == [])
  }

  @Test func `knows no feed that the library does not know`() async {
    let bench = SyncBench([.feed: .document("moon")])

    let summaries = await bench.summaries(plan)

    #expect(summaries.map(\.isUnknown) == [true])
    #expect(summaries.map(\.feed?.title) == ["Words"])
  }

  @Test func `counts every thumbnail that force would fetch`() async throws {
    let bench = SyncBench([.feed: .document("moon sun")])
    bench.store.keep(Feed(id: 7, address: .feed), images: ["moon"])
    let thumbnail = FetchedThumbnail(
      imageID: 1,
      address: .thumbnail("moon"),
      validators: Validators(),
      info: .jpegSample,
      bytes: PictureBytes.jpeg,
      fetched: SyncBench.now,
      checkDate: SyncBench.now
    )
    try await bench.store.store(PictureBatch(new: [thumbnail]), .thumbnail)
    var forced = plan
    forced.isForced = true

    let summaries = await bench.summaries(forced)

    #expect(summaries.map(\.thumbnails.waiting) == [2])
  }

  @Test func `tells what fails, and of no new address`() async {
    let bench = SyncBench([.feed: FakeReply(status: 410)])
    bench.store.keep(Feed(id: 7, address: .feed), images: [String]())

    let facts = await bench.facts(plan)

    #expect(facts.problems.map(\.failure) == [.gone])
    #expect(facts.notices == [])
    #expect(facts.summaries.map(\.isDryRun) == [true])
  }
}
