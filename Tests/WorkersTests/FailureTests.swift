import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

struct FailureTests {
  @Test(arguments: [
    (Failure.interrupted, true),
    (.network(NetworkError(.cancelled, at: .feed)), true),
    (.network(NetworkError(.broken, at: .feed)), false),
    (.offline, false),
    (.status(500), false),
  ])
  func `is a cancellation when it was our own filter to stop`(_ failure: Failure, _ isOne: Bool) {
    #expect(failure.isCancellation == isOne)
  }

  @Test func `is offline where our own network may be to blame`() {
    #expect(Failure.network(NetworkError(.unreachable, at: .feed)).pictureClass == .offline)
    #expect(Failure.network(NetworkError(.proxyLogin, at: .feed)).pictureClass == .offline)
    #expect(Failure.status(407).pictureClass == .offline)
  }

  @Test(arguments: [
    Failure.status(408), .status(425), .status(429), .status(500), .status(502), .status(599),
    .cutPicture(.jpeg), .network(NetworkError(.broken, at: .feed)),
    .network(NetworkError(.timedOut, at: .feed)), .network(NetworkError(.other, at: .feed)),
    .network(NetworkError(.paused(until: .distantFuture), at: .feed)),
  ])
  func `is transient where the server may answer otherwise before long`(_ failure: Failure) {
    #expect(failure.pictureClass == .transient)
  }

  @Test(arguments: [
    Failure.status(404), .status(410), .status(401), .status(403), .status(204), .status(304),
    .notAPicture(looksLike: "a page"), .network(NetworkError(.tooLarge(limit: 1), at: .feed)),
    .network(NetworkError(.refused, at: .feed)), .network(NetworkError(.insecure, at: .feed)),
    .network(NetworkError(.tooManyRedirects(limit: 1), at: .feed)),
    .network(NetworkError(.unreadableFile, at: .feed)),
    .network(NetworkError(.privateAddress, at: .feed)),
    .network(NetworkError(.forbiddenAddress, at: .feed)),
  ])
  func `is permanent where the answer was a clear no`(_ failure: Failure) {
    #expect(failure.pictureClass == .permanent)
  }

  @Test(arguments: [
    Failure.network(NetworkError(.cancelled, at: .feed)), .interrupted, .overBudget, .offline,
    .store(MemoryLibrary.fullDisk), .flaw(.cutOff), .feed(.malformed(.cutOff)),
  ])
  func `is of no class where it says nothing of the picture`(_ failure: Failure) {
    #expect(failure.pictureClass == nil)
  }
}
