package import FoundationEssentials

/// Dates as every store keeps them: whole seconds since 1970.
extension Date {
  /// The years 1 to 9999, which can be written as ISO 8601 has it; only a damaged file has others.
  private static let storedRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  package init(storedSeconds seconds: Int64) {
    let range = Self.storedRange
    let bounded = min(max(seconds, range.lowerBound), range.upperBound)
    self.init(timeIntervalSince1970: TimeInterval(bounded))
  }

  package var storedSeconds: Int64 {
    let seconds = timeIntervalSince1970.rounded(.down)
    return Int64(seconds.isNaN ? -9e15 : min(max(seconds, -9e15), 9e15))
  }

  package var wholeSeconds: Date { Date(timeIntervalSince1970: Double(storedSeconds)) }
}

/// A 64-bit hash that is the same in every run and on every machine (FNV-1a).
///
/// It is for look-ups in the store: what is found by it is compared in full.
package enum StableHash {
  package static func of(_ text: String) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    let bytes = text.utf8Span.span
    for index in bytes.indices {
      hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}

/// A set of ids, small where they lie close together: a bit an id, 64 to a word.
package struct IDSet: Sendable, Equatable {
  private var words: [Int64: UInt64] = [:]
  package private(set) var count = 0

  package init() {}

  package func contains(_ id: Int64) -> Bool {
    guard let word = words[id >> 6] else { return false }
    return word & Self.bit(id) != 0
  }

  /// Says whether the id is new in the set.
  @discardableResult
  package mutating func insert(_ id: Int64) -> Bool {
    let word = words[id >> 6, default: 0]
    guard word & Self.bit(id) == 0 else { return false }
    words[id >> 6] = word | Self.bit(id)
    count += 1
    return true
  }

  package mutating func remove(_ id: Int64) {
    guard let word = words[id >> 6], word & Self.bit(id) != 0 else { return }
    words[id >> 6] = word & ~Self.bit(id)
    count -= 1
  }

  private static func bit(_ id: Int64) -> UInt64 { 1 << UInt64(id & 63) }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers for the same seed, in every run.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
