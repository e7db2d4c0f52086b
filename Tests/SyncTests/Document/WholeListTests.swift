import Models
import TestSupport
import Testing
import Workers

/// Whether a sync marks the images as gone that a document no longer lists.
struct WholeListTests {
  @Test func `a list without pages is everything its feed has`() async {
    #expect(await listsEverything(.feed, .document("sun .")))
  }

  @Test func `a list that was asked for by the page is not, wherever it came from`() async {
    var reply = FakeReply.document("sun .")
    reply.address = .sample("list")

    #expect(await !listsEverything(.sample("list?limit=20"), reply))
  }

  @Test func `a list with a next page in its header is not`() async {
    var reply = FakeReply.document("sun .")
    reply.nextPage = .sample("list?page=2")

    #expect(await !listsEverything(.sample("list"), reply))
  }

  @Test func `a list that was read with a warning is not`() async {
    let bench = SyncBench([.feed: .document("sun .")], format: FakeFormat(flaws: [.cutOff]))

    _ = await bench.facts(.documentOnly)

    #expect(bench.store.events.contains(.finished(Validators(), isWhole: true, false)))
  }

  @Test func `a list that was read whole at the second try is`() async {
    let reply = FakeReply.breaking("sun", then: .document("sun ."))

    #expect(await listsEverything(.feed, reply))
  }

  private func listsEverything(_ address: WebAddress, _ reply: FakeReply) async -> Bool {
    let bench = SyncBench([address: reply])
    _ = await bench.facts(SyncPlan(feeds: [address], fetchesThumbnails: false))
    return bench.store.events.contains(.finished(Validators(), isWhole: true, true))
  }
}
