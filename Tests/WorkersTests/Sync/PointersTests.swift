import Models
import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(1)))
struct PointersTests {
  @Test func `the feeds of a list are synced, and the list itself is not remembered`() async {
    let bench = SyncBench([
      .feed: .document("@a @b"), .page("a"): .document("sun"), .page("b"): .document("moon"),
    ])

    let summaries = await bench.summaries(.documentOnly)

    #expect(Set(summaries.map(\.address)) == [.page("a"), .page("b")])
    #expect(bench.store.state.withLock { $0.feeds.count } == 2)
  }

  @Test func `one that fails leaves the others`() async {
    let bench = SyncBench([
      .feed: .document("@a @b"), .page("a"): FakeReply(status: 500),
      .page("b"): .document("moon"),
    ])

    let summaries = await bench.summaries(.documentOnly)

    #expect(Set(summaries.map(\.status)) == [.failed, .updated])
  }

  @Test func `lists that name one another end`() async {
    let bench = SyncBench([.feed: .document("@a"), .page("a"): .document("@a @b")])

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.addresses.count(where: { $0 == .page("a") }) == 1)
  }

  @Test func `a chain of lists is followed so far and no further`() {
    var queue = FeedQueue([.feed])
    queue.append(FoundFeeds(addresses: [.page("near")], pointers: SyncLimits.pointersToFeed))
    queue.append(FoundFeeds(addresses: [.page("far")], pointers: SyncLimits.pointersToFeed + 1))

    #expect(queue.count == 2)
  }

  @Test(arguments: [(false, 0), (true, 1)])
  func `a list cannot point to files, unless it is one`(isFile: Bool, count: Int) throws {
    var queue = FeedQueue([])
    let file = try #require(WebAddress("file:///etc/passwd"))
    queue.append(FoundFeeds(addresses: [file], pointers: 1, mayBeFiles: isFile))

    #expect(queue.count == count)
  }
}
