import CurlNetwork

extension RetryPolicy {
  /// The usual rules, a thousand times as fast, but slow enough for a busy machine.
  static var quick: RetryPolicy {
    var policy = RetryPolicy()
    policy.firstDelay = .milliseconds(1)
    policy.longestDelay = .milliseconds(30)
    return policy
  }

  /// A policy with one retry.
  static var once: RetryPolicy {
    var policy = quick
    policy.retries = 1
    return policy
  }
}
