import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct ThumbnailSyncTests {
  private let unchanged: [WebAddress: FakeReply] = [.feed: FakeReply(status: 304)]

  @Test func `keeps a thumbnail with its validators, its format and its size`() async {
    let validators = Validators(entityTag: "\"small\"")
    var reply = FakeReply.picture(PictureBytes.png)
    reply.validators = validators
    let bench = SyncBench([.feed: FakeReply(status: 304), .thumbnail("moon"): reply])
    _ = bench.know("moon")

    _ = await bench.facts()

    let thumbnail = FetchedThumbnail(
      imageID: 1,
      address: .thumbnail("moon"),
      validators: validators,
      info: PictureInfo(format: .png, bytes: PictureBytes.png.count, width: 640, height: 480),
      bytes: PictureBytes.png,
      fetched: SyncBench.now,
      checkDate: SyncBench.now
    )
    #expect(bench.store.thumbnails == [thumbnail])
  }

  @Test func `asks for pictures, and takes only so many bytes`() async {
    let bench = SyncBench(unchanged)
    _ = bench.know("moon")

    _ = await bench.facts()

    var request = NetworkRequest(
      address: .thumbnail("moon"),
      reach: .publicOnly,
      accept: "image/*, */*;q=0.5",
      byteLimit: 393_216,
      timeLimit: .seconds(300),
      feedKey: WebAddress.feed.hashValue
    )
    // A picture without a page does not tell its server the address of the feed.
    (request.feed, request.page) = (.feed, .thumbnail("moon"))
    #expect(bench.network.requests.last == request)
  }

  @Test func `asks again for one that is large, and takes it when it is not too large`() async {
    let large = PictureBytes.jpeg + Array(repeating: 0, count: 393_216)
    let tooLarge = PictureBytes.jpeg + Array(repeating: 0, count: 8_388_608)
    var replies = unchanged
    replies[.thumbnail("moon")] = .picture(large)
    replies[.thumbnail("sun")] = .picture(tooLarge)
    let bench = SyncBench(replies)
    _ = bench.know("moon", "sun")

    let facts = await bench.facts()

    let limits = bench.network.requests.filter { $0.address == .thumbnail("moon") }
    #expect(limits.map(\.byteLimit) == [393_216, 8_388_608])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 1, failed: 1)])
    #expect(bench.store.thumbnails.map(\.bytes) == [large])
  }

  @Test func `asks for 512 at once, the newest first`() async {
    let gate = Gate()
    let names = (1...520).map { "image\($0)" }
    var replies = unchanged
    for name in names { replies[.thumbnail(name)] = .held(by: gate) }
    let bench = SyncBench(replies)
    _ = bench.know(names)

    let run = bench.start(SyncPlan(feeds: [.feed]))
    await gate.arrivals.reaches(512)
    let first = bench.network.requests.dropFirst().map(\.address)
    gate.open()
    let summaries = await run.allFacts().summaries

    #expect(Set(first) == Set(names.prefix(512).map { .thumbnail($0) }))
    #expect(bench.network.mostWaiting == 512)
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 520)])
  }

  @Test func `stores them 64 at a time`() async {
    let bench = SyncBench(unchanged)
    _ = bench.know((1...150).map { "image\($0)" })

    _ = await bench.facts()

    #expect(bench.store.thumbnailBatches.map(\.count) == [64, 64, 22])
  }

  @Test func `stores many at once as soon as they make a megabyte`() async {
    let large = PictureBytes.jpeg + Array(repeating: 0, count: 380 << 10)
    let names = ["sun", "moon", "star", "comet"]
    var replies = unchanged
    for name in names { replies[.thumbnail(name)] = .picture(large) }
    let bench = SyncBench(replies)
    _ = bench.know(names)

    _ = await bench.facts()

    #expect(bench.store.thumbnailBatches.map(\.count) == [3, 1])
  }

  @Test func `asks for each of very many once`() async {
    let names = (1...1_100).map { "image\($0)" }
    let bench = SyncBench(unchanged)
    _ = bench.know(names)

    let summaries = await bench.summaries()

    let asked = bench.network.requests.dropFirst().map(\.address)
    #expect(asked.count == 1_100)
    #expect(Set(asked) == Set(names.map { .thumbnail($0) }))
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1_100)])
  }

  @Test func `asks once for an image that a document names twice`() async {
    let bench = SyncBench([.feed: .document("moon moon")])

    let summaries = await bench.summaries()

    #expect(bench.network.requests.map(\.address) == [.feed, .thumbnail("moon")])
    #expect(summaries.map(\.images) == [ImageCounts(total: 1, new: 1)])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
  }

  @Test func `gives two images the thumbnail that they share`() async {
    let bench = SyncBench(unchanged)
    let images = ["sun", "moon"].map { name in
      FeedImage(thumbnailAddress: .thumbnail("sky"), originalAddress: .original(name))
    }
    _ = bench.know(images: images)

    _ = await bench.facts()

    #expect(bench.store.thumbnails.map(\.imageID) == [1, 2])
    #expect(bench.store.thumbnails.map(\.address) == [.thumbnail("sky"), .thumbnail("sky")])
  }

  @Test func `only counts them when the plan is without thumbnails`() async {
    let bench = SyncBench([.feed: .document("sun moon")])

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.thumbnails) == [TransferCounts(waiting: 2)])
    #expect(bench.network.requests.map(\.address) == [.feed])
  }

  @Test func `leaves those that are stored, unless it is forced`() async {
    let bench = SyncBench([.feed: .document("sun moon")])
    var plan = SyncPlan(feeds: [.feed])
    _ = await bench.facts(plan)

    let again = await bench.summaries(plan)
    plan.isForced = true
    let forced = await bench.summaries(plan)

    #expect(again.map(\.thumbnails) == [TransferCounts()])
    #expect(forced.map(\.thumbnails) == [TransferCounts(stored: 2)])
  }

  @Test func `fetches only what is missing of what an earlier sync began`() async {
    var fresh = FakeReply.picture(PictureBytes.jpeg)
    fresh.freshSeconds = 3_600
    let failing = SyncBench([
      .feed: .document("sun moon", validators: SyncBench.validators),
      .thumbnail("sun"): FakeReply(status: 503), .thumbnail("moon"): fresh,
    ])
    _ = await failing.facts()
    let bench = SyncBench(unchanged, store: failing.store)
    bench.clock.go(600)

    let summaries = await bench.summaries()

    #expect(bench.network.requests.map(\.address) == [.feed, .thumbnail("sun")])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
  }

  @Test func `counts what a dry run would fetch, and fetches nothing`() async {
    let store = FaultyLibrary()
    let bench = SyncBench(
      [.feed: .document("sun moon"), .thumbnail("sun"): FakeReply(refusal: .unreachable)],
      store: store
    )
    _ = await bench.facts()
    let asked = bench.network.requests.count
    var plan = SyncPlan(feeds: [.feed], fetchesOriginals: true, isDryRun: true)

    let dry = await bench.summaries(plan)
    plan.isForced = true
    let forced = await bench.summaries(plan)

    #expect(dry.map(\.thumbnails) == [TransferCounts(waiting: 1)])
    #expect(dry.map(\.originals) == [TransferCounts(waiting: 2)])
    #expect(forced.map(\.thumbnails) == [TransferCounts(waiting: 2)])
    #expect(bench.network.addresses.dropFirst(asked).allSatisfy { $0 == .feed })
  }
}
