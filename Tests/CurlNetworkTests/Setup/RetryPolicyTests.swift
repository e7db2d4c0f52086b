import Testing

@testable import CurlNetwork

struct RetryPolicyTests {
  private let policy = RetryPolicy()

  @Test(arguments: [(1, 1.0), (2, 2), (3, 4), (4, 8), (6, 30), (60, 30)])
  func `doubles the delay up to the longest`(number: Int, seconds: Double) {
    let delay = policy.delay(beforeRetry: number, random: 1)

    #expect(delay == .seconds(seconds))
  }

  @Test func `spreads delays over their upper half`() {
    #expect(policy.delay(beforeRetry: 3, random: 0) == .seconds(2))
    #expect(policy.delay(beforeRetry: 3, random: 0.5) == .seconds(3))
  }
}
