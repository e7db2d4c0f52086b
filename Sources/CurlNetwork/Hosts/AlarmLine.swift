/// What is to happen later, the soonest first.
struct AlarmLine<Element> {
  /// The soonest is the last; those of the same time keep their order.
  private var alarms: [(time: MonotonicInstant, element: Element)] = []

  /// When the soonest is due.
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

  /// Takes the soonest if it is due.
  mutating func popDue(at now: MonotonicInstant) -> Element? {
    guard let last = alarms.last, last.time <= now else { return nil }
    alarms.removeLast()
    return last.element
  }

  /// Takes what fits, the soonest first.
  mutating func remove(where fits: (Element) -> Bool) -> [Element] {
    let removed = alarms.reversed().map(\.element).filter(fits)
    if !removed.isEmpty { alarms.removeAll { fits($0.element) } }
    return removed
  }
}
