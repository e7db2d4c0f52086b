/// A set of ids, small where they lie close together: a bit an id, 64 to a word.
struct IDSet {
  private var words: [Int64: UInt64] = [:]
  private(set) var count = 0

  func contains(_ id: Int64) -> Bool {
    guard let word = words[id >> 6] else { return false }
    return word & Self.bit(id) != 0
  }

  /// Says whether the id is new in the set.
  @discardableResult
  mutating func insert(_ id: Int64) -> Bool {
    let word = words[id >> 6, default: 0]
    guard word & Self.bit(id) == 0 else { return false }
    words[id >> 6] = word | Self.bit(id)
    count += 1
    return true
  }

  mutating func remove(_ id: Int64) {
    guard let word = words[id >> 6], word & Self.bit(id) != 0 else { return }
    words[id >> 6] = word & ~Self.bit(id)
    count -= 1
  }

  private static func bit(_ id: Int64) -> UInt64 { 1 << UInt64(id & 63) }
}
