/// First come, first served.
struct Lane<Element> {
  private var elements: [Element] = []
  /// Those before it have left; they are thrown out when they are the greater part.
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

extension Lane: Sendable where Element: Sendable {}
