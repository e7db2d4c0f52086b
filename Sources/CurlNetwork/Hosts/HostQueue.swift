/// Transfers that wait for their turn, and how many of each host are at work.
///
/// Each host's transfers start in the order they came, those that are tried again, and those that
/// tell what more there is to ask for, before the others; hosts take turns, so that a host with
/// thousands of pictures, or one that has asked for a pause, holds up none of the others.
struct HostQueue {
  /// What comes next.
  enum Turn: Equatable {
    case start(TransferID)
    /// Transfers of a host that is not asked.
    case refuse([TransferID], HostRefusal)
  }

  private struct Host {
    let name: String
    /// Those that come before the others: they were asked for so, were tried before, or have waited
    /// for their own sake.
    var first = Lane<TransferID>()
    var waiting = Lane<TransferID>()
    var running = 0
    var limit: Int
    /// Whether its number stands in `turns`.
    var hasTurn = false
    /// When it is to get a turn again, because it asked for a pause.
    var alarm: MonotonicInstant?

    var isEmpty: Bool { first.isEmpty && waiting.isEmpty }
    var hasRoom: Bool { running < limit }

    mutating func popFirst() -> TransferID? { first.popFirst() ?? waiting.popFirst() }
  }

  private enum Alarm {
    case transfer(TransferID, host: Int)
    case host(Int)
  }

  private let limits: ConnectionLimits
  /// All hosts there have been, by number; and the numbers, by name.
  private var hosts: [Host] = []
  private var numbers: [String: Int] = [:]
  /// The hosts that are ready, in the order in which they come next.
  private var turns = Lane<Int>()
  private var alarms = AlarmLine<Alarm>()
  private var running = 0

  init(limits: ConnectionLimits) { self.limits = limits }

  /// Whether some host is ready to have its next transfer started.
  var hasTurns: Bool { !turns.isEmpty && running < limits.transfers }

  /// When there will be something to do that no event tells of.
  var nextAlarm: MonotonicInstant? { alarms.next }

  mutating func append(_ id: TransferID, of host: String, comesFirst: Bool = false) {
    let number = number(of: host)
    if comesFirst { hosts[number].first.append(id) } else { hosts[number].waiting.append(id) }
    giveTurn(to: number)
  }

  /// Adds a transfer that is to wait first; it then comes before those that wait for their turn only.
  mutating func append(
    _ id: TransferID,
    of host: String,
    notBefore time: MonotonicInstant
  ) {
    alarms.append(.transfer(id, host: number(of: host)), at: time)
  }

  /// Takes the next transfer that may start now and is still wanted, which then counts as running, or
  /// all transfers of a host that is closed.
  mutating func next(
    at now: MonotonicInstant,
    verdict: (_ host: String) -> HostVerdict,
    isWanted: (TransferID) -> Bool
  ) -> Turn? {
    ring(at: now)
    while running < limits.transfers, let host = turns.popFirst() {
      hosts[host].hasTurn = false
      switch verdict(hosts[host].name) {
      case .open:
        if let id = takeFirst(of: host, where: isWanted) { return .start(id) }
      case .busy: break
      case .wait(let end): setAlarm(of: host, at: end)
      case .closed(let refusal):
        let ids = removeAll(of: host).filter(isWanted)
        if !ids.isEmpty { return .refuse(ids, refusal) }
      }
    }
    return nil
  }

  /// Notes that a transfer that was taken is over.
  mutating func ended(of host: String) {
    guard let number = numbers[host] else { return }
    hosts[number].running -= 1
    running -= 1
    giveTurn(to: number)
  }

  /// Notes that a host answers over HTTP/2.
  mutating func speaksHTTP2(_ host: String) {
    guard let number = numbers[host], hosts[number].limit != limits.streamsPerHost else { return }
    hosts[number].limit = limits.streamsPerHost
    giveTurn(to: number)
  }

  /// Has a host's verdict asked for again, even if none of its transfers could start now.
  mutating func verdictChanged(on host: String) {
    guard let number = numbers[host], !hosts[number].hasTurn else { return }
    hosts[number].hasTurn = true
    turns.append(number)
  }

  private mutating func number(of host: String) -> Int {
    if let number = numbers[host] { return number }
    hosts.append(Host(name: host, limit: limits.connectionsPerHost))
    numbers[host] = hosts.count - 1
    return hosts.count - 1
  }

  private mutating func ring(at now: MonotonicInstant) {
    while let alarm = alarms.popDue(at: now) {
      switch alarm {
      case .transfer(let id, let host):
        hosts[host].first.append(id)
        giveTurn(to: host)
      case .host(let host):
        hosts[host].alarm = nil
        giveTurn(to: host)
      }
    }
  }

  private mutating func setAlarm(of host: Int, at time: MonotonicInstant) {
    if let alarm = hosts[host].alarm, alarm >= time { return }
    hosts[host].alarm = time
    alarms.append(.host(host), at: time)
  }

  private mutating func takeFirst(
    of host: Int,
    where isWanted: (TransferID) -> Bool
  ) -> TransferID? {
    while hosts[host].hasRoom, let id = hosts[host].popFirst() {
      guard isWanted(id) else { continue }
      hosts[host].running += 1
      running += 1
      giveTurn(to: host)
      return id
    }
    return nil
  }

  private mutating func removeAll(of host: Int) -> [TransferID] {
    var ids: [TransferID] = []
    while let id = hosts[host].popFirst() { ids.append(id) }
    let delayed = alarms.remove { alarm in
      if case .transfer(_, host) = alarm { true } else { false }
    }
    for case .transfer(let id, _) in delayed { ids.append(id) }
    return ids
  }

  private mutating func giveTurn(to host: Int) {
    guard hosts[host].hasRoom, !hosts[host].isEmpty, !hosts[host].hasTurn else { return }
    hosts[host].hasTurn = true
    turns.append(host)
  }
}
