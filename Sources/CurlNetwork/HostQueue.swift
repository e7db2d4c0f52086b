/// Transfers that wait for their turn, and how many of each host are at work.
///
/// Each host's transfers start in the order they came; hosts take turns, so that a host with
/// thousands of pictures holds up none of the others.
struct HostQueue {
  private struct Host {
    var waiting = Lane<TransferID>()
    var running = 0
    var limit: Int
    /// Whether its name stands in `turns`.
    var hasTurn = false

    var isReady: Bool { running < limit && !waiting.isEmpty }
  }

  private let limits: ConnectionLimits
  private var hosts: [String: Host] = [:]
  /// The hosts that are ready, in the order in which they come next.
  private var turns = Lane<String>()
  private var running = 0

  init(limits: ConnectionLimits) { self.limits = limits }

  mutating func append(_ id: TransferID, of host: String) {
    hosts[host, default: Host(limit: limits.connectionsPerHost)].waiting.append(id)
    giveTurn(to: host)
  }

  /// Takes the next transfer that may start now and is still wanted; it counts as running.
  mutating func next(where isWanted: (TransferID) -> Bool) -> TransferID? {
    while running < limits.transfers, let host = turns.popFirst() {
      hosts[host]?.hasTurn = false
      if let id = takeFirst(of: host, where: isWanted) { return id }
    }
    return nil
  }

  /// Notes that a transfer that was taken is over.
  mutating func ended(of host: String) {
    hosts[host]?.running -= 1
    running -= 1
    giveTurn(to: host)
  }

  /// Notes that a host answers over HTTP/2.
  mutating func speaksHTTP2(_ host: String) {
    guard hosts[host]?.limit != limits.streamsPerHost else { return }
    hosts[host]?.limit = limits.streamsPerHost
    giveTurn(to: host)
  }

  private mutating func takeFirst(
    of host: String,
    where isWanted: (TransferID) -> Bool
  ) -> TransferID? {
    while let id = hosts[host]?.waiting.popFirst() {
      guard isWanted(id) else { continue }
      hosts[host]?.running += 1
      running += 1
      giveTurn(to: host)
      return id
    }
    return nil
  }

  private mutating func giveTurn(to host: String) {
    guard let state = hosts[host], state.isReady, !state.hasTurn else { return }
    hosts[host]?.hasTurn = true
    turns.append(host)
  }
}
