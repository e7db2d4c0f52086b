import Models
import Workers

/// Gives the images of a document rising positions as it streams.
///
/// Positions have gaps, so that a new entry changes only its own rows. Known images keep their positions as long as
/// these rise, and new images get positions between their neighbours. If known images have changed their order, the
/// longest rising run of the batch stays and the others move. If there is no room between two images, the second one
/// moves, too.
///
/// The number of new images that follow the end of a batch is unknown, so a run at the end must leave room. At the top
/// of a document, the run begins far below all stored positions. Elsewhere it takes a small part of the room before the
/// next stored position.
package struct PositionAssigner: Sendable {
  /// The step between two new images, where there is room.
  package static let gap: Int64 = 1 << 20
  /// How far below the lowest stored position a document's new top begins.
  package static let reserve: Int64 = 1 << 40
  /// The divisor of the room that a run of unknown length takes.
  package static let share: Int64 = 64

  /// The position that was given last; nil at the top of the document.
  package private(set) var last: Int64?
  /// The lowest position that the feed's images had before this document.
  private let lowest: Int64?

  package init(lowest: Int64?) {
    self.lowest = lowest
  }

  /// Returns positions for the next images.
  ///
  /// - Parameters:
  ///   - known: The stored position of each; nil for a new one.
  ///   - next: The lowest stored position above one; nil if it is missing.
  /// - Returns: A position for each.
  /// - Throws: the errors of `next`.
  package mutating func positions<Failure>(
    for known: [Int64?],
    next: (Int64) async throws(Failure) -> Int64?
  ) async throws(Failure) -> [Int64] {
    let kept = RisingRun.longest(in: known, above: last)
    var positions: [Int64] = []
    positions.reserveCapacity(known.count)
    var waiting = 0
    for (index, position) in known.enumerated() {
      if let position, kept[index], hasRoom(for: waiting, below: position) {
        fill(waiting, below: position, &positions)
        positions.append(position)
        last = position
        waiting = 0
      } else {
        waiting += 1
      }
    }
    if waiting > 0 { try await fillOpenEnd(waiting, next: next, &positions) }
    return positions
  }

  private func hasRoom(for count: Int, below position: Int64) -> Bool {
    guard let last else { return true }
    return position.subtracting(last) > Int64(count)
  }

  /// Spreads images evenly between the last position and a known one.
  private mutating func fill(_ count: Int, below position: Int64, _ positions: inout [Int64]) {
    guard count > 0 else { return }
    let even = last.map { position.subtracting($0) / Int64(count + 1) } ?? Self.gap
    let step = min(max(even, 1), Self.gap)
    let start = last ?? position.subtracting(step * Int64(count + 1))
    append(count, after: start, step: step, &positions)
  }

  private mutating func fillOpenEnd<Failure>(
    _ count: Int,
    next: (Int64) async throws(Failure) -> Int64?,
    _ positions: inout [Int64]
  ) async throws(Failure) {
    let start = last ?? lowest.map { $0.subtracting(Self.reserve) } ?? 0
    let ceiling = if let last { try await next(last) } else { lowest }
    let room = ceiling.map { $0.subtracting(start) / (Int64(count) * Self.share) } ?? Self.gap
    append(count, after: start, step: min(max(room, 1), Self.gap), &positions)
  }

  private mutating func append(
    _ count: Int,
    after start: Int64,
    step: Int64,
    _ positions: inout [Int64]
  ) {
    for index in 1...Int64(count) { positions.append(start.adding(step * index)) }
    last = start.adding(step * Int64(count))
  }
}

/// Finds the known positions that can stay when images have changed their order.
package enum RisingRun {
  /// Marks the longest run, not necessarily connected, of rising positions above a bound.
  package static func longest(in positions: [Int64?], above bound: Int64?) -> [Bool] {
    let floor = bound ?? .min
    // For each length, the index at which the run with the lowest end ends (patience sorting).
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: positions.count)
    var values: [Int64] = []
    for (index, position) in positions.enumerated() {
      guard let position, position > floor else { continue }
      let length = values.firstIndex(notBelow: position)
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length == ends.count {
        ends.append(index)
        values.append(position)
      } else {
        ends[length] = index
        values[length] = position
      }
    }
    return marks(from: ends.last, previous)
  }

  private static func marks(from last: Int?, _ previous: [Int?]) -> [Bool] {
    var marks = [Bool](repeating: false, count: previous.count)
    var index = last
    while let current = index {
      marks[current] = true
      index = previous[current]
    }
    return marks
  }
}

extension Array where Element: Comparable {
  /// The first index of a sorted array whose element is not below a value; the end if all elements are below it.
  func firstIndex(notBelow value: Element) -> Int {
    // The values that are looked up usually rise, too.
    if let last, last < value { return count }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
