/// The transfers that wait for their turn, by host, and the number of running transfers.
///
/// Each host's transfers start in the order of their arrival. Retries come first, and so do documents, which lead to
/// more requests. Hosts take turns, so that a host with thousands of pictures or with a pause does not delay the
/// others. Feeds of one host also take turns. When several feeds use a host, each of them leaves at least one of its
/// connections to the others, if the host may have more than one.
struct HostQueue {
  /// The next thing to do.
  enum Turn: Equatable {
    case start(TransferID)
    /// The transfers of a closed host.
    case refuse([TransferID], HostRefusal)
  }

  private struct Host {
    let name: String
    /// The feeds with waiting or running transfers of this host, in the order of their turns.
    var feeds: [FeedLine] = []
    var running = 0
    var limit: Int
    /// Whether its number is in `turns`.
    var hasTurn = false
    /// When its pause ends and it gets a turn again.
    var alarm: MonotonicInstant?

    var isEmpty: Bool { feeds.allSatisfy(\.isEmpty) }
    var hasRoom: Bool { running < limit }
    /// How many transfers of one feed may run.
    private var share: Int { feeds.count > 1 ? max(1, limit - 1) : limit }

    mutating func append(_ id: TransferID, _ feed: Int, comesFirst: Bool) {
      let index = feeds.firstIndex { $0.key == feed } ?? feeds.endIndex
      if index == feeds.endIndex { feeds.append(FeedLine(key: feed)) }
      if comesFirst { feeds[index].first.append(id) } else { feeds[index].waiting.append(id) }
    }

    /// Takes the next transfer, and moves its feed behind the others.
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

    /// Changes the number of a feed's running transfers; removes a feed that has no transfers left.
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
    /// Transfers that come before the others: because their request says so, as a retry, or after a delay.
    var first = FIFOQueue<TransferID>()
    var waiting = FIFOQueue<TransferID>()
    var running = 0

    var isEmpty: Bool { first.isEmpty && waiting.isEmpty }

    mutating func popFirst() -> TransferID? { first.popFirst() ?? waiting.popFirst() }
  }

  private enum Alarm {
    case transfer(TransferID, host: Int, feed: Int)
    case host(Int)
  }

  private let limits: ConnectionLimits
  /// All hosts by number, and the numbers by name.
  private var hosts: [Host] = []
  private var numbers: [String: Int] = [:]
  /// The hosts that are ready to start a transfer, in the order of their turns.
  private var turns = FIFOQueue<Int>()
  private var alarms = TimerQueue<Alarm>()
  private var running = 0

  init(limits: ConnectionLimits) { self.limits = limits }

  /// Whether a host is ready, and the limit over all hosts allows another transfer.
  var hasTurns: Bool { !turns.isEmpty && running < limits.transfers }

  /// When the next delay or pause ends.
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

  /// Adds a transfer with a delay, after which it comes before the others.
  mutating func append(
    _ id: TransferID,
    of host: String,
    feed: Int = 0,
    notBefore time: MonotonicInstant
  ) {
    alarms.append(.transfer(id, host: number(of: host), feed: feed), at: time)
  }

  /// Takes the next transfer that may start and is still wanted, or all transfers of a closed host.
  ///
  /// A transfer that was taken counts as running until `ended` is called.
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

  /// Records the end of a transfer that `next` returned.
  mutating func ended(of host: String, feed: Int = 0) {
    guard let number = numbers[host] else { return }
    hosts[number].count(-1, of: feed)
    running -= 1
    giveTurn(to: number)
  }

  /// Records that a host answers over HTTP/2.
  mutating func speaksHTTP2(_ host: String) {
    guard let number = numbers[host], hosts[number].limit != limits.streamsPerHost else { return }
    hosts[number].limit = limits.streamsPerHost
    giveTurn(to: number)
  }

  /// Gives a host a turn, so that its verdict is checked again.
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

/// A queue: first in, first out.
struct FIFOQueue<Element> {
  private var elements: [Element] = []
  /// The index of the first element; elements before it are removed when they are the larger part of the array.
  private var first = 0

  var isEmpty: Bool { first == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    defer { first += 1 }
    if first > 64, first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return elements[first]
  }
}

extension FIFOQueue: Sendable where Element: Sendable {}

/// A queue of elements, each with the time at which it is due.
struct TimerQueue<Element> {
  /// Sorted so that the earliest is last; elements with the same time keep their order.
  private var alarms: [(time: MonotonicInstant, element: Element)] = []

  /// The time at which the earliest element is due.
  var next: MonotonicInstant? { alarms.last?.time }

  mutating func append(_ element: Element, at time: MonotonicInstant) {
    var low = 0
    var high = alarms.count
    while low < high {
      let middle = (low + high) / 2
      if alarms[middle].time > time { low = middle + 1 } else { high = middle }
    }
    alarms.insert((time, element), at: low)
  }

  /// Takes the earliest element if it is due.
  mutating func popDue(at now: MonotonicInstant) -> Element? {
    guard let last = alarms.last, last.time <= now else { return nil }
    alarms.removeLast()
    return last.element
  }

  /// Removes matching elements and returns them, the earliest first.
  mutating func remove(where fits: (Element) -> Bool) -> [Element] {
    let removed = alarms.reversed().map(\.element).filter(fits)
    if !removed.isEmpty { alarms.removeAll { fits($0.element) } }
    return removed
  }
}
