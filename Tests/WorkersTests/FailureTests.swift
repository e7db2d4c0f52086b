import Models
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
  func `is a cancellation when it was our own wish to stop`(_ failure: Failure, _ isOne: Bool) {
    #expect(failure.isCancellation == isOne)
  }
}
