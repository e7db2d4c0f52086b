/// How much is asked of servers at once.
package struct ConnectionLimits: Sendable, Equatable {
  /// Transfers at work at the same time, over all hosts.
  package var transfers = 64
  /// Connections, and so transfers, to one host over HTTP/1.1.
  package var connectionsPerHost = 6
  /// Transfers from one host once it has answered over HTTP/2, where they share a connection.
  package var streamsPerHost = 64

  /// The limits without a wish of the user.
  package init() {}

  /// The limits when the user asks for at most `jobs` transfers at a time; fewer than 1 count as 1.
  package init(jobs: Int) {
    transfers = max(1, jobs)
    connectionsPerHost = min(connectionsPerHost, transfers)
    streamsPerHost = min(streamsPerHost, transfers)
  }
}
