/// How often and how soon a transfer that failed for a while is tried again.
package struct RetryPolicy: Sendable, Equatable {
  /// Tries after the first.
  package var retries = 4
  /// Before the first retry; each further one waits for twice as long.
  package var firstDelay: Duration = .seconds(1)
  /// More than this is not waited for a transfer's own sake.
  package var longestDelay: Duration = .seconds(30)
  /// How long a transfer may take from its first start to the start of its last try, and how long a
  /// host's pauses may last together before they are no longer waited for.
  package var budget: Duration = .seconds(60)
  /// The longest pause that a host may ask for.
  package var longestPause: Duration = .seconds(86_400)
  /// Failures to connect, one after another, after which a host counts as down.
  package var failuresUntilDown = 3
  /// How long a host counts as down before it is tried again.
  package var downTime: Duration = .seconds(60)
  /// Transfers of a host that failed for good, one after another, after which it gets no more
  /// retries, until it answers as it should.
  package var failuresUntilNoRetry = 10

  package init() {}

  /// The time before the retry of a number, from 1 on: it grows with each, and differs with a random
  /// number from 0 up to 1, so that clients do not come back all at once.
  func delay(beforeRetry number: Int, random: Double) -> Duration {
    let doublings = min(max(0, number - 1), 20)
    let longest = min(firstDelay * (1 << doublings), longestDelay)
    return longest * (0.5 + random / 2)
  }
}
