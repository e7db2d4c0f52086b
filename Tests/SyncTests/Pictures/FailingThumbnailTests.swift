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
}
