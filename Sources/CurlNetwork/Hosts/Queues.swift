/// A queue: first in, first out.
struct FIFOQueue<Element> {
  private var elements: [Element] = []
  /// The index of the first element; those before it are removed when they are the larger part.
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

/// Elements with a time at which each is due.
struct TimerQueue<Element> {
  /// Sorted so that the earliest is the last; elements of the same time keep their order.
  private var alarms: [(time: MonotonicInstant, element: Element)] = []

  /// When the earliest is due.
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

  /// Takes the earliest if it is due.
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
