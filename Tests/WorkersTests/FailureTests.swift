import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

struct FailureTests {
  @Test(arguments: [
    (Failure.interrupted, true),
    (.network(NetworkError(.cancelled)), true),
    (.network(NetworkError(.broken)), false),
    (.offline, false),
    (.status(500), false),
  ])
  func `is a cancellation when it was our own filter to stop`(_ failure: Failure, _ isOne: Bool) {
    #expect(failure.isCancellation == isOne)
  }

  @Test func `is offline where our own network may be to blame`() {
    #expect(Failure.network(NetworkError(.unreachable)).pictureClass == .offline)
    #expect(Failure.network(NetworkError(.proxyLogin)).pictureClass == .offline)
    #expect(Failure.status(407).pictureClass == .offline)
  }

  @Test(arguments: [
    Failure.status(408), .status(425), .status(429), .status(500), .status(502), .status(599),
    .cutPicture(.jpeg), .network(NetworkError(.broken)),
    .network(NetworkError(.timedOut)), .network(NetworkError(.other)),
    .network(NetworkError(.paused(until: .distantFuture))),
  ])
  func `is transient where the server may answer otherwise before long`(_ failure: Failure) {
    #expect(failure.pictureClass == .transient)
  }

  @Test(arguments: [
    Failure.status(404), .status(410), .status(401), .status(403), .status(204), .status(304),
    .notAPicture(looksLike: "a page"), .network(NetworkError(.tooLarge(limit: 1))),
    .network(NetworkError(.refused)), .network(NetworkError(.insecure)),
    .network(NetworkError(.tooManyRedirects(limit: 1))),
    .network(NetworkError(.unreadableFile)),
    .network(NetworkError(.forbiddenAddress)),
  ])
  func `is permanent where the answer was a clear no`(_ failure: Failure) {
    #expect(failure.pictureClass == .permanent)
  }

  @Test func `is of a class of its own where the user may allow the address`() {
    #expect(Failure.network(NetworkError(.privateAddress)).pictureClass == .forbidden)
  }

  @Test(arguments: [
    Failure.network(NetworkError(.cancelled)), .interrupted, .overBudget, .offline,
    .store(StoreError(reason: .full, path: "/library", message: "no space left")), .flaw(.cutOff),
    .feed(.malformed(.cutOff)),
  ])
  func `is of no class where it says nothing of the picture`(_ failure: Failure) {
    #expect(failure.pictureClass == nil)
  }
}

extension NetworkError {
  fileprivate init(_ reason: Reason) {
    self.init(
      reason: reason,
      address: .at("https://example.org/feed"),
      message: "as the test wants"
    )
  }
}
