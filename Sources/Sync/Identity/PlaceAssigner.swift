import Workers

/// Gives the images of a document places that rise along it, as it streams.
///
/// Places have gaps, so that a new entry costs its own rows only: known images keep their places as
/// long as these rise, and new ones get places between their neighbours. Where known images have
/// changed their order, the longest rising run of the batch stays and the others move; where there
/// is no room between two, the second moves, too.
///
/// How many new images a run at the end of a batch will have is not known, so it must leave room.
/// At the top of a document it begins far below everything there is; elsewhere it takes a small
/// part of the room before the next stored place.
package struct PlaceAssigner: Sendable {
  /// Between two new images, where there is room.
  package static let gap: Int64 = 1 << 20
  /// How far below the lowest stored place a document's new top begins.
  package static let reserve: Int64 = 1 << 40
  /// The share of the room that a run of unknown length takes.
  package static let share: Int64 = 64

  /// The place that was given last; nil at the top of the document.
  package private(set) var last: Int64?
  /// The lowest place that the feed's images had before this document.
  private let lowest: Int64?

  package init(lowest: Int64?) {
    self.lowest = lowest
  }

  /// Places for the next images.
  ///
  /// - Parameters:
  ///   - known: The stored place of each; nil for a new one.
  ///   - next: The lowest stored place above one; nil if it is missing.
  /// - Returns: A place for each.
  /// - Throws: what `next` throws.
  package mutating func places<Failure>(
    for known: [Int64?],
    next: (Int64) async throws(Failure) -> Int64?
  ) async throws(Failure) -> [Int64] {
    let kept = RisingRun.longest(in: known, above: last)
    var places: [Int64] = []
    places.reserveCapacity(known.count)
    var waiting = 0
    for (index, place) in known.enumerated() {
      if let place, kept[index], hasRoom(for: waiting, below: place) {
        fill(waiting, below: place, &places)
        places.append(place)
        last = place
        waiting = 0
      } else {
        waiting += 1
      }
    }
    if waiting > 0 { try await fillOpenEnd(waiting, next: next, &places) }
    return places
  }

  private func hasRoom(for count: Int, below place: Int64) -> Bool {
    guard let last else { return true }
    return place - last > Int64(count)
  }

  /// Between the last place and a known one: evenly.
  private mutating func fill(_ count: Int, below place: Int64, _ places: inout [Int64]) {
    guard count > 0 else { return }
    let even = last.map { (place - $0) / Int64(count + 1) } ?? Self.gap
    let step = min(max(even, 1), Self.gap)
    let start = last ?? place - step * Int64(count + 1)
    append(count, after: start, step: step, &places)
  }

  private mutating func fillOpenEnd<Failure>(
    _ count: Int,
    next: (Int64) async throws(Failure) -> Int64?,
    _ places: inout [Int64]
  ) async throws(Failure) {
    let start = last ?? lowest.map { $0 - Self.reserve } ?? 0
    let ceiling = if let last { try await next(last) } else { lowest }
    let room = ceiling.map { ($0 - start) / (Int64(count) * Self.share) } ?? Self.gap
    append(count, after: start, step: min(max(room, 1), Self.gap), &places)
  }

  private mutating func append(
    _ count: Int,
    after start: Int64,
    step: Int64,
    _ places: inout [Int64]
  ) {
    for index in 1...Int64(count) { places.append(start + step * index) }
    last = start + step * Int64(count)
  }
}

/// Finds the known places that can stay when images have changed their order.
package enum RisingRun {
  /// Marks the longest run, not necessarily connected, of places that rise and are above a bound.
  package static func longest(in places: [Int64?], above bound: Int64?) -> [Bool] {
    let floor = bound ?? .min
    // The run of each length that ends lowest, as the index of its end (patience sorting).
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    var values: [Int64] = []
    for (index, place) in places.enumerated() {
      guard let place, place > floor else { continue }
      let length = firstIndex(in: values, notBelow: place)
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length == ends.count {
        ends.append(index)
        values.append(place)
      } else {
        ends[length] = index
        values[length] = place
      }
    }
    return marks(from: ends.last, previous)
  }

  private static func firstIndex(in values: [Int64], notBelow place: Int64) -> Int {
    if let last = values.last, last < place { return values.count }
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      if values[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
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
