/// How many transfers run at once.
package struct ConnectionLimits: Sendable, Equatable {
  /// The maximum number of transfers over all hosts.
  package var transfers = 64
  /// The maximum number of connections, and so of transfers, to one host over HTTP/1.1.
  package var connectionsPerHost = 6
  /// The maximum number of transfers from a host over HTTP/2, where they share a connection.
  package var streamsPerHost = 64

  /// Makes the default limits.
  package init() {}

  /// Makes the limits for at most `jobs` transfers at once; a number below 1 counts as 1.
  package init(jobs: Int) {
    transfers = max(1, jobs)
    connectionsPerHost = min(connectionsPerHost, transfers)
    streamsPerHost = min(streamsPerHost, transfers)
  }
}

/// Limits on the speed of transfers, over all hosts or for one host.
package struct TransferRates: Sendable, Equatable {
  /// The bytes of bodies per second; nil for no limit.
  package var bytesPerSecond: Int?
  /// The requests per second to each host; nil for no limit.
  package var requestsPerSecond: Double?

  package init(bytesPerSecond: Int? = nil, requestsPerSecond: Double? = nil) {
    self.bytesPerSecond = bytesPerSecond
    self.requestsPerSecond = requestsPerSecond
  }
}

/// How long a transfer may take before it fails.
package struct NetworkTimeouts: Sendable, Equatable {
  /// The time limit for the name lookup, the connection and the TLS handshake.
  package var connecting: Duration = .seconds(30)
  /// How long a body may arrive more slowly than `leastSpeed`; libcurl counts in whole seconds, at least one.
  package var stall: Duration = .seconds(30)
  /// The speed, in bytes per second, below which a transfer is stalled.
  ///
  /// Without this limit, a server that sends single bytes could occupy a connection forever. Each of 64 transfers that
  /// share a slow line is still faster.
  package var leastSpeed = 200
  /// The time limit for a collected response.
  package var reply: Duration = .seconds(600)
  /// The time limit for a streamed response.
  ///
  /// If an original takes longer, the next request continues where this one ended.
  package var stream: Duration = .seconds(86_400)

  package init() {}
}

/// How often and how soon transfers are retried after a temporary failure.
package struct RetryPolicy: Sendable, Equatable {
  /// The maximum number of attempts after the first.
  package var retries = 4
  /// The delay before the first retry; it doubles with each further retry.
  package var firstDelay: Duration = .seconds(1)
  /// The longest delay before a retry.
  package var longestDelay: Duration = .seconds(30)
  /// How long after its first start a transfer may begin its last attempt.
  ///
  /// Transfers fail at once when a host's pauses together last longer than this.
  package var budget: Duration = .seconds(60)
  /// The longest pause that a host may ask for.
  package var longestPause: Duration = .seconds(86_400)
  /// The number of consecutive failures to connect after which a host counts as down.
  package var failuresUntilDown = 3
  /// The number of hosts that fail to connect, one after another, before a further host counts as down at once.
  ///
  /// Then the network is down, or a list names many hosts that no longer exist.
  package var hostsUntilNoRetry = 8
  /// How long a host counts as down before the next attempt.
  package var downTime: Duration = .seconds(60)
  /// The number of consecutive transfers that failed after all retries, after which a host gets no more retries until
  /// it responds normally.
  package var failuresUntilNoRetry = 10

  package init() {}

  /// The delay before a retry, by its number, from 1.
  ///
  /// It grows with each retry. A random number from 0 up to 1 varies it, so that clients do not all return at the same
  /// time.
  func delay(beforeRetry number: Int, random: Double) -> Duration {
    let doublings = min(max(0, number - 1), 20)
    let longest = min(firstDelay * (1 << doublings), longestDelay)
    return longest * (0.5 + random / 2)
  }
}

/// Limits for each transfer, in addition to the limit for the body in its request.
enum TransferLimits {
  /// The number of pictures that a host refuses with each `Referer` field before it gets requests without one only.
  static let picturesRefusedWithReferers = 3
  /// The maximum number of redirects of a transfer.
  static let redirects = 10
  /// The maximum size of a response's header in bytes, including interim responses and trailers.
  static let headerBytes = 64 * 1024
  /// The maximum number of bytes of a body to skip before a retry, which keeps the connection usable.
  static let passedOver = 64 * 1024
  /// The bytes of a streamed body that may wait for their reader; above this limit the transfer pauses.
  ///
  /// It is the size of two reads, so that one can arrive while the reader takes the other.
  static let highWater = 512 * 1024
  /// The same limit for a body that may be compressed: a document, of which many are read at once.
  static let packedHighWater = 256 * 1024
  /// The bytes that libcurl may read at once of a streamed body.
  static let streamReadSize = 256 * 1024
  /// The bytes that libcurl may read at once of a body that may be compressed.
  ///
  /// It is small, because libcurl decompresses all of them before the transfer can pause.
  static let packedReadSize = 16 * 1024
  /// The bytes that libcurl may read at once of a collected body: a header and a small picture.
  static let fetchReadSize = 32 * 1024
  /// The maximum number of a group's transfers in the loop: those that may run, and the next ones.
  static let groupUnderWay = 80
  /// How many transfers of a group must have ended before the group posts more.
  static let groupRefill = 16
  /// The total number of bytes of responses that may wait for the readers of all groups.
  ///
  /// A group that exceeds its share starts no more transfers.
  static let untakenBytes = 4 * 1024 * 1024
  /// The maximum number of bytes to reserve for a collected body by its declared length.
  static let reservation = 8 * 1024 * 1024
}
