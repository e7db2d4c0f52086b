import Models
import TestSupport
import Testing
import Workers

struct FailingThumbnailTests {
  @Test(arguments: FailingPicture.all)
  func `tells one that fails and stores the others`(_ failing: FailingPicture) async {
    let bench = SyncBench([
      .feed: .document("sun moon star"), .thumbnail("moon"): failing.reply,
    ])

    let summaries = await bench.summaries()

    let problem = SyncProblem(
      subject: .thumbnail,
      address: .thumbnail("moon"),
      failure: failing.failure
    )
    #expect(summaries.map(\.problems) == [[problem]])
    #expect(summaries.map(\.status) == [.updated])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 2, failed: 1)])
    #expect(bench.store.thumbnailBatches == [[1, 3]])
  }

  @Test func `a stored one stays when its successor is cut`() async {
    let bench = SyncBench([.feed: .document("moon")])
    _ = await bench.facts()
    let before = bench.store.thumbnails
    let cut = FakeReply.picture(PictureBytes.jpeg.dropLast(2))
    let later = SyncBench(
      [.feed: .document("moon"), .thumbnail("moon"): cut],
      store: bench.store
    )

    _ = await later.facts(SyncPlan(feeds: [.feed], isForced: true))

    #expect(before.count == 1)
    #expect(later.store.thumbnails.map(\.bytes) == before.map(\.bytes))
  }

  // MARK: Other renditions

  /// A feed of "moon", whose thumbnail is the smallest of three sizes.
  private func bench(_ small: FakeReply, middle: FakeReply, large: FakeReply) -> SyncBench {
    let bench = SyncBench([
      .feed: FakeReply(status: 304), .thumbnail("moon"): small, .original("middle"): middle,
      .original("large"): large,
    ])
    var moon = FeedImage(named: "moon")
    moon.renditions = [.original("large"), .original("middle"), .thumbnail("moon")]
    _ = bench.know(images: [moon])
    return bench
  }

  @Test(arguments: FailingPicture.all.dropLast())
  func `one that fails is followed by the next larger size`(_ failing: FailingPicture) async {
    let bench = bench(
      failing.reply,
      middle: failing.reply,
      large: .picture(PictureBytes.gif)
    )

    let facts = await bench.facts()

    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    let asked = bench.network.addresses
    #expect(asked == [.feed, .thumbnail("moon"), .original("middle"), .original("large")])
    #expect(bench.store.thumbnails.map(\.bytes) == [PictureBytes.gif])
    #expect(bench.store.thumbnails.map(\.address) == [.thumbnail("moon")])
    #expect(bench.store.thumbnails.map(\.validators) == [Validators()])
  }

  @Test func `no other size is asked for while the server has trouble`() async {
    let picture = FakeReply.picture(PictureBytes.gif)
    let bench = bench(FakeReply(status: 503), middle: picture, large: picture)

    let facts = await bench.facts()

    #expect(bench.network.addresses == [.feed, .thumbnail("moon")])
    #expect(facts.problems.map(\.failure) == [.status(503)])
  }

  @Test func `the failure of the first choice is told when all sizes fail`() async {
    let bench = bench(
      FakeReply(status: 403),
      middle: FakeReply(status: 404),
      large: FakeReply(status: 404)
    )

    let facts = await bench.facts()

    #expect(facts.problems.map(\.failure) == [.status(403)])
    #expect(bench.store.failed(.thumbnail).map(\.picture.address) == [.thumbnail("moon")])
  }
}
