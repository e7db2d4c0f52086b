/// Finds the known places that can stay when images have changed their order.
enum RisingRun {
  /// Marks the longest run, not necessarily connected, of places that rise and are above a bound.
  static func longest(in places: [Int64?], above bound: Int64?) -> [Bool] {
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
