import FoundationEssentials
import Workers

/// Limits how fast transfers receive, and how often hosts are asked, if the user has set limits.
///
/// Each piece of a body occupies the time that the rate allows for it. Until that time is over, the transfers that
/// share the rate are held. So the average never exceeds the rate, however many transfers there are.
struct Pace {
  private struct Host {
    var rates: TransferRates
    /// When the next request may begin.
    var nextRequest: MonotonicInstant?
    /// When the next piece may be taken.
    var nextPiece: MonotonicInstant?
  }

  /// Whether there is any limit; checked first for each piece of a body, because usually there is no limit.
  private let isBound: Bool
  private let rates: TransferRates
  private var nextPiece: MonotonicInstant?
  private var hosts: [String: Host] = [:]
  /// The transfers that wait for their next piece, the one that has waited longest first.
  private var held: [(id: TransferID, host: String)] = []

  init(_ rates: TransferRates = TransferRates(), hosts: [String: TransferRates] = [:]) {
    self.rates = rates
    isBound = rates != TransferRates() || !hosts.isEmpty
    self.hosts = hosts.mapValues { Host(rates: $0) }
  }

  // MARK: Requests

  /// When the next request to a host may begin; nil when it may begin at once.
  func nextRequest(to host: String) -> MonotonicInstant? { hosts[host]?.nextRequest }

  mutating func asked(_ host: String, at now: MonotonicInstant) {
    guard isBound else { return }
    guard let rate = hosts[host]?.rates.requestsPerSecond ?? rates.requestsPerSecond else { return }
    hosts[host, default: Host(rates: TransferRates())].nextRequest = now + .seconds(1 / rate)
  }

  // MARK: Bytes

  /// When the next piece from a host may be taken; nil when it may be taken at once.
  func nextPiece(from host: String) -> MonotonicInstant? {
    guard isBound else { return nil }
    return [nextPiece, hosts[host]?.nextPiece].compactMap(\.self).max()
  }

  mutating func received(
    _ count: Int,
    from host: String,
    at moment: @autoclosure () -> MonotonicInstant
  ) {
    guard isBound else { return }
    let now = moment()
    if let rate = rates.bytesPerSecond { Self.add(count, rate, to: &nextPiece, now) }
    guard let rate = hosts[host]?.rates.bytesPerSecond else { return }
    Self.add(count, rate, to: &hosts[host, default: Host(rates: TransferRates())].nextPiece, now)
  }

  private static func add(
    _ count: Int,
    _ rate: Int,
    to time: inout MonotonicInstant?,
    _ now: MonotonicInstant
  ) {
    time = max(time ?? now, now) + .seconds(Double(count) / Double(rate))
  }

  mutating func hold(_ id: TransferID, from host: String) { held.append((id, host)) }

  /// Takes the transfer that has waited longest among those that may continue.
  mutating func takeHeld(at now: MonotonicInstant) -> TransferID? {
    let index = held.firstIndex { nextPiece(from: $0.host).map { $0 <= now } ?? true }
    return index.map { held.remove(at: $0).id }
  }

  /// When the next held transfer may continue; nil when no transfer is held.
  func nextHeld(at now: MonotonicInstant) -> MonotonicInstant? {
    held.map { nextPiece(from: $0.host) ?? now }.min()
  }
}
