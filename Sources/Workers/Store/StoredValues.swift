package import FoundationEssentials
package import Models

/// Dates in the form of every store: whole seconds since 1970.
extension Date {
  /// The years 1 to 9999, which ISO 8601 can represent; only a damaged file has others.
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
/// It is for look-ups in the store, whose results are compared in full.
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

/// A set of ids, which is compact for clustered ids: one bit per id, 64 in a word.
package struct IDSet: Sendable, Equatable {
  private var words: [Int64: UInt64] = [:]
  package private(set) var count = 0

  package init() {}

  package func contains(_ id: Int64) -> Bool {
    guard let word = words[id >> 6] else { return false }
    return word & Self.bit(id) != 0
  }

  /// Inserts an id, and returns whether it is new in the set.
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

/// The state of an image's thumbnail; the store keeps the raw value.
package enum ThumbnailState: Int64 {
  /// It is to be made from the original: the feed names none, or the one that it names cannot be fetched.
  case unmade = 0
  /// It is fetched from the address in the feed.
  case stored = 1
  /// It is missing, or was fetched from an address that the feed has changed since.
  case wanted = 2
  /// It has been made from the original.
  case made = 3

  /// Whether a right thumbnail is stored, fetched or made.
  package var isRight: Bool { self == .stored || self == .made }
}

extension ImageFields {
  /// The column `shape`; nil when the feed does not declare the size of the image.
  package var shape: Int? {
    guard let width, let height else { return nil }
    return width == height ? 0 : width > height ? 1 : -1
  }

  /// The size of its texts in bytes.
  package var textBytes: Int {
    [title, caption, author, licence, pageAddress, thumbnailAddress, originalAddress]
      .reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// The date by which `newest` sorts: that of publication, but not later than first seen; else first seen.
  package func date(firstSeen: Int64) -> Int64 { min(published ?? firstSeen, firstSeen) }
}

extension PictureFilter {
  /// Pictures whose next attempt is after this time are held back.
  package var heldBackAfter: Int64 { all || retriesFailed ? .max : now.storedSeconds }
}

extension ImageQuery {
  /// The first steps of a Fisher–Yates shuffle of all matching images, until enough are chosen.
  package func shuffled(_ ids: [Int64]) -> [Int64] {
    var ids = ids
    var generator = SeededGenerator(seed: seed)
    let wanted = min(max(limit ?? ids.count, 0), ids.count)
    for index in 0..<wanted {
      ids.swapAt(index, Int.random(in: index..<ids.count, using: &generator))
    }
    return Array(ids.prefix(wanted))
  }
}

/// The `reach` of a feed; the store keeps the raw value.
private enum StoredReach: Int64 {
  case publicOnly = 0
  case host = 1
  case anywhere = 2
}

extension FeedReach {
  /// Reads the columns `reach` and `private_host`; nil when the reach is unknown.
  package init?(column: Int64?, host: String?) {
    switch column.flatMap(StoredReach.init(rawValue:)) {
    case nil: return nil
    case .publicOnly: self = .publicOnly
    // A row with a missing host name was not written by this program.
    case .host: self = host.map { .host($0) } ?? .publicOnly
    case .anywhere: self = .anywhere
    }
  }

  /// The column `reach`.
  package var column: Int64 {
    switch self {
    case .publicOnly: StoredReach.publicOnly.rawValue
    case .host: StoredReach.host.rawValue
    case .anywhere: StoredReach.anywhere.rawValue
    }
  }

  /// The column `private_host`.
  package var hostColumn: String? {
    if case .host(let name) = self { name } else { nil }
  }
}

/// The column `changes`: the dates in seconds since 1970.
extension FeedSchedule {
  package var changesText: String {
    changes.map { String($0.storedSeconds) }.joined(separator: " ")
  }

  package static func changes(_ text: String) -> [Date] {
    text.split(separator: " ").compactMap { Int64($0) }.map(Date.init(storedSeconds:))
  }
}

/// The column `details`, with one line per detail; labels and values contain neither tabs nor line ends.
extension Manifest {
  /// Nil when there are no details.
  package var detailLines: String? {
    let lines = details.map { "\($0.label)\t\($0.value)" }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  package static func details(_ lines: String) -> [Detail] {
    lines.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? Detail(label: String(parts[0]), value: String(parts[1])) : nil
    }
  }
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
