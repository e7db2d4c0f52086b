import Models
import Testing

@testable import Workers

struct PictureFailuresTests {
  @Test func `tells of a pause once for each host, and a port is a host of its own`() throws {
    var failures = PictureFailures(SyncBench([:]).tools())
    let told = try ["//a/1", "//a/2", "//b/1", "//a:8080/1", "//a:8080/2"].map { place in
      let address = try #require(WebAddress("http:" + place))
      let error = NetworkError(reason: .paused(until: SyncBench.now), address: address, message: "")
      let order = PictureOrder(
        imageID: 1,
        address: address,
        rank: .init(date: 0, place: 0),
        since: SyncBench.now
      )
      return failures.isTold(.network(error), of: order)
    }

    #expect(told == [true, false, true, true, false])
  }
}
