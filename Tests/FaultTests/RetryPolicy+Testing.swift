import CurlNetwork

extension RetryPolicy {
  /// The same rules a thousand times as fast, but with time enough for a busy machine.
  static var quick: RetryPolicy {
    var policy = RetryPolicy()
    policy.firstDelay = .milliseconds(1)
    policy.longestDelay = .milliseconds(30)
    return policy
  }

  /// One further try.
  static var once: RetryPolicy {
    var policy = quick
    policy.retries = 1
    return policy
  }
}
