/// Transfers that wait for their turn, and how many of each host are at work.
///
/// Each host's transfers start in the order they came, those that are tried again, and those that
/// tell what more there is to ask for, before the others; hosts take turns, so that a host with
/// thousands of pictures, or one that has asked for a pause, holds up none of the others. So do the feeds of
/// one host: where there are several, none has all of its connections, however long its transfers take.
struct HostQueue {
  /// What comes next.
  enum Turn: Equatable {
    case start(TransferID)
    /// Transfers of a host that is not asked.
    case refuse([TransferID], HostRefusal)
  }

  private struct Host {
    let name: String
    /// The feeds that have transfers here, waiting or at work, in the order in which they take turns.
    var feeds: [FeedLine] = []
    var running = 0
    var limit: Int
    /// Whether its number stands in `turns`.
    var hasTurn = false
    /// When it is to get a turn again, because it asked for a pause.
    var alarm: MonotonicInstant?

    var isEmpty: Bool { feeds.allSatisfy(\.isEmpty) }
    var hasRoom: Bool { running < limit }
    /// How many transfers of one feed may be at work.
    private var share: Int { feeds.count > 1 ? max(1, limit - 1) : limit }

    mutating func append(_ id: TransferID, _ feed: Int, comesFirst: Bool) {
      let index = feeds.firstIndex { $0.key == feed } ?? feeds.endIndex
      if index == feeds.endIndex { feeds.append(FeedLine(key: feed)) }
      if comesFirst { feeds[index].first.append(id) } else { feeds[index].waiting.append(id) }
    }

    /// Takes the next one, whose feed has its next turn behind the others.
    mutating func popNext() -> (TransferID, feed: Int)? {
      let share = share
      let index =
        feeds.firstIndex { $0.running < share && !$0.first.isEmpty }
        ?? feeds.firstIndex { $0.running < share && !$0.isEmpty }
      guard let index, let id = feeds[index].popFirst() else { return nil }
      let key = feeds[index].key
      if feeds.count > 1 { feeds.append(feeds.remove(at: index)) }
      return (id, key)
    }

    mutating func popAll() -> [TransferID] {
      var ids: [TransferID] = []
      for index in feeds.indices {
        while let id = feeds[index].popFirst() { ids.append(id) }
      }
      return ids
    }

    /// Counts transfers of a feed that are at work; a feed that has no more leaves.
    mutating func count(_ change: Int, of feed: Int) {
      running += change
      guard let index = feeds.firstIndex(where: { $0.key == feed }) else { return }
      feeds[index].running += change
      if feeds[index].running == 0, feeds[index].isEmpty { feeds.remove(at: index) }
    }
  }

  /// The transfers of one feed at one host.
  private struct FeedLine {
    let key: Int
    /// Those that come before the others: they were asked for so, were tried before, or have waited
    /// for their own sake.
    var first = Lane<TransferID>()
    var waiting = Lane<TransferID>()
    var running = 0

    var isEmpty: Bool { first.isEmpty && waiting.isEmpty }

    mutating func popFirst() -> TransferID? { first.popFirst() ?? waiting.popFirst() }
  }

  private enum Alarm {
    case transfer(TransferID, host: Int, feed: Int)
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

  mutating func append(
    _ id: TransferID,
    of host: String,
    feed: Int = 0,
    comesFirst: Bool = false
  ) {
    let number = number(of: host)
    hosts[number].append(id, feed, comesFirst: comesFirst)
    giveTurn(to: number)
  }

  /// Adds a transfer that is to wait first; it then comes before those that wait for their turn only.
  mutating func append(
    _ id: TransferID,
    of host: String,
    feed: Int = 0,
    notBefore time: MonotonicInstant
  ) {
    alarms.append(.transfer(id, host: number(of: host), feed: feed), at: time)
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
  mutating func ended(of host: String, feed: Int = 0) {
    guard let number = numbers[host] else { return }
    hosts[number].count(-1, of: feed)
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
      case .transfer(let id, let host, let feed):
        hosts[host].append(id, feed, comesFirst: true)
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
    while hosts[host].hasRoom, let (id, feed) = hosts[host].popNext() {
      let isWanted = isWanted(id)
      hosts[host].count(isWanted ? 1 : 0, of: feed)
      guard isWanted else { continue }
      running += 1
      giveTurn(to: host)
      return id
    }
    return nil
  }

  private mutating func removeAll(of host: Int) -> [TransferID] {
    let delayed = alarms.remove { alarm in
      if case .transfer(_, host, _) = alarm { true } else { false }
    }
    var ids = hosts[host].popAll()
    for case .transfer(let id, _, _) in delayed { ids.append(id) }
    hosts[host].feeds.removeAll { $0.running == 0 }
    return ids
  }

  private mutating func giveTurn(to host: Int) {
    guard hosts[host].hasRoom, !hosts[host].isEmpty, !hosts[host].hasTurn else { return }
    hosts[host].hasTurn = true
    turns.append(host)
  }
}
