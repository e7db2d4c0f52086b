import Models
import TestSupport
import Testing
import Workers

struct MovedFeedTests {
  @Test(arguments: [200, 304])
  func `tells the store where the feed was sent to for good`(_ status: Int) async {
    let bench = SyncBench([.feed: .moved(to: .sample("new"), status: status)])
    _ = bench.know("moon")

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.feed?.movedTo) == [.sample("new")])
  }

  @Test(arguments: ["http://example.org/feed", "file:///etc/feed", "https://example.org/feed"])
  func `tells of no address that it may not take`(_ text: String) async throws {
    let target = try #require(WebAddress(text))
    let bench = SyncBench([.feed: .moved(to: target)])
    _ = bench.know("moon")

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.feed?.movedTo) == [nil])
  }

  @Test func `says that the address has changed, once the store has changed it`() async {
    let bench = SyncBench([.feed: .moved(to: .sample("new"))])
    _ = bench.know("moon")

    _ = await bench.facts(.documentOnly)
    let facts = await bench.facts(.documentOnly)

    #expect(facts.notices == [.moved(from: .feed, to: .sample("new"))])
    #expect(facts.problems == [])
  }

  @Test(arguments: [200, 304])
  func `warns that the address is another feed's, and fails nothing`(_ status: Int) async {
    let bench = SyncBench([.feed: .moved(to: .sample("new"), status: status)])
    _ = bench.know("moon")
    bench.store.keep(Feed(id: 8, address: .sample("new")), images: [String]())

    _ = await bench.facts(.documentOnly)
    let facts = await bench.facts(.documentOnly)

    let failure = Failure.addressTaken(.sample("new"))
    #expect(facts.problems == [SyncProblem(subject: .document, address: .feed, failure: failure)])
    #expect(facts.summaries.map(\.problems) == [facts.problems])
    #expect(facts.summaries.map(\.status) == [.unchanged])
  }
}

extension FakeReply {
  fileprivate static func moved(to address: WebAddress, status: Int = 200) -> FakeReply {
    var reply = FakeReply.document("moon")
    reply.status = status
    reply.permanentAddress = address
    return reply
  }
}
