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

  @Test func `a chain of lists is followed so far and no further`() async {
    let pages = (0...SyncLimits.pointersToFeed).map { WebAddress.page("\($0)") }
    var documents: [WebAddress: FakeReply] = [.feed: .document("@0")]
    for (number, page) in pages.enumerated() { documents[page] = .document("@\(number + 1)") }
    let bench = SyncBench(documents)

    let summaries = await bench.summaries(.documentOnly)

    #expect(bench.network.addresses == [.feed] + pages.dropLast())
    #expect(summaries.map(\.address) == [pages[SyncLimits.pointersToFeed - 1]])
    #expect(summaries.map(\.status) == [.failed])
    let failures = summaries.flatMap(\.problems).map(\.failure)
    #expect(failures == [.feed(.beyondLimit(of: "lists of feeds behind one another", limit: 3))])
  }

  @Test(arguments: [["@a", "@a"], ["@a", "@b", "@a"], ["@a @b", "@b", "@a @b"]])
  func `lists that lead to one another and to no feed fail`(documents: [String]) async {
    let addresses: [WebAddress] = [.feed, .page("a"), .page("b")]
    let pages = zip(addresses, documents.map { FakeReply.document($0) })
    let bench = SyncBench(Dictionary(uniqueKeysWithValues: pages))

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.status) == [.failed])
    let reason = FeedError.notAFeed(looksLike: "a list of feeds that leads back to itself")
    #expect(summaries.flatMap(\.problems).map(\.failure) == [.feed(reason)])
    #expect(Set(bench.network.addresses).count == documents.count)
    #expect(bench.network.addresses.count == documents.count)
  }

  @Test func `so many feeds are synced at once, and the rest is told`() {
    var queue = FeedQueue([.feed])
    let pages = (0..<SyncLimits.feedsPerSync).map { WebAddress.page("\($0)") }
    let found = FoundFeeds(addresses: pages, pointers: 1)

    let problem = queue.append(found, of: .feed)

    #expect(queue.count == SyncLimits.feedsPerSync)
    #expect(problem?.subject == .document)
    let limit = FeedError.beyondLimit(of: "the feeds of one sync", limit: SyncLimits.feedsPerSync)
    #expect(problem?.failure == .feed(limit))
  }

  @Test(arguments: [false, true])
  func `a list cannot point to files, unless it is one`(isFile: Bool) throws {
    var queue = FeedQueue([])
    let file = try #require(WebAddress("file:///etc/passwd"))
    let found = FoundFeeds(addresses: [file], pointers: 1, mayBeFiles: isFile)

    let problem = queue.append(found, of: .feed)

    #expect(queue.count == (isFile ? 1 : 0))
    #expect((problem == nil) == isFile)
  }
}
