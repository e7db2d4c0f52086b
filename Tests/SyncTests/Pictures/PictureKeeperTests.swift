import Models
import Testing
import Workers

@testable import Sync

struct PictureKeeperTests {
  @Test func `reports a pause once for each host, and a port is a host of its own`() async throws {
    let (_, teller) = AsyncStream.makeStream(of: SyncFact.self)
    var keeper = PictureKeeper(
      .thumbnail,
      of: Feed(id: 7, address: .feed),
      PictureFilter(now: SyncBench.now),
      tools: SyncBench([:]).tools(),
      shared: SharedSync(SyncPlan(feeds: []), SyncProgress(), teller: teller)
    )
    var reported: [String] = []
    for path in ["//a/1", "//a/2", "//b/1", "//a:8080/1", "//a:8080/2"] {
      let address = try #require(WebAddress("http:" + path))
      let error = NetworkError(reason: .paused(until: SyncBench.now), address: address, message: "")
      let wanted = WantedPicture(
        imageID: 1,
        address: address,
        rank: .init(date: 0, position: 0),
        since: SyncBench.now
      )
      let outcome = PictureOutcome(wanted: wanted, result: .failed(.network(error)))
      await keeper.take(outcome) { reported.append($0.address.text) }
    }

    #expect(reported == ["http://a/1", "http://b/1", "http://a:8080/1"])
    #expect(keeper.counts.failed == 3)
  }
}
