package import FoundationEssentials
package import Models

/// Whether an image's thumbnail is as its feed has it; the raw value is what the store keeps.
package enum ThumbnailState: Int64 {
  /// The feed names none, and none has been made of the original that it names.
  case unmade = 0
  /// The one that the feed names.
  case stored = 1
  /// Missing, or stored from an address that the feed has changed since.
  case wanted = 2
  /// The feed names none, and one has been made of the original.
  case made = 3

  /// Whether it is there and right, fetched or made.
  package var isRight: Bool { self == .stored || self == .made }
}

/// The names of an image's pictures in the tables of every store.
extension PictureKind {
  /// The column of `image` with the address that is asked for.
  package var addressColumn: String {
    self == .thumbnail ? "thumbnail_address" : "original_address"
  }

  /// The column of `image` with the date from which on its server is asked about it.
  package var checkColumn: String {
    self == .original ? "original_check_at" : "thumbnail_check_at"
  }

  /// The condition that the one of an image is stored and right.
  package var isStored: String {
    switch self {
    case .thumbnail: "thumbnail_state = \(ThumbnailState.stored.rawValue)"
    case .original: "original_state = \(OriginalState.stored.rawValue)"
    case .madeThumbnail: "thumbnail_state = \(ThumbnailState.made.rawValue)"
    }
  }

  /// The table with the validators of the stored ones.
  package var table: String { self == .original ? "image_original" : "thumbnail" }

  /// Its column with the date at which the bytes came.
  package var arrivalColumn: String { self == .original ? "stored_at" : "fetched_at" }
}

extension ImageFields {
  /// The column `shape`; nil when the feed does not say how large the image is.
  package var shape: Int? {
    guard let width, let height else { return nil }
    return width == height ? 0 : width > height ? 1 : -1
  }

  /// How many bytes its texts have.
  package var textBytes: Int {
    [title, caption, author, licence, pageAddress, thumbnailAddress, originalAddress]
      .reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// What `newest` sorts by: published, never later than first seen, else first seen.
  package func date(firstSeen: Int64) -> Int64 { min(published ?? firstSeen, firstSeen) }
}

extension PictureFilter {
  /// Failures hold a picture back whose date for the next try is later.
  package var heldBackAfter: Int64 { all || retriesFailed ? .max : now.storedSeconds }
}

/// The order of a listing in SQL.
extension ImageQuery.Order {
  /// The column that it sorts by first.
  package var column: String {
    switch self {
    case .newest, .oldest: "date"
    case .title: "title_key"
    case .added: "first_seen_at"
    case .feed, .random: "feed_id"
    }
  }

  /// The column of the number in an `ImageCursor`.
  package var numberColumn: String { self == .title ? "feed_id" : column }

  /// The terms that it sorts by; the random order shuffles what any order lists.
  package var terms: String {
    switch self {
    case .newest: "date DESC, position, image.id"
    case .oldest: "date, position DESC, image.id DESC"
    case .title: "title_key, position, image.id"
    case .added: "first_seen_at DESC, position, image.id"
    case .feed: "feed_id, position, image.id"
    case .random: "image.id"
    }
  }

  /// How the first column, and position and id among images that share it, compare behind a place in the order.
  package var comparisons: (column: String, rest: String) {
    (self == .newest || self == .added ? "<" : ">", self == .oldest ? "<" : ">")
  }
}

extension ImageQuery {
  /// The first steps of a Fisher–Yates shuffle of all images that match, as many as are wanted.
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

/// The `reach` of a feed; the raw value is what the store keeps.
private enum StoredReach: Int64 {
  case publicOnly = 0
  case host = 1
  case anywhere = 2
}

extension FeedReach {
  /// Reads the columns `reach` and `private_host`; nil for what is not known.
  package init?(column: Int64?, host: String?) {
    switch column.flatMap(StoredReach.init(rawValue:)) {
    case nil: return nil
    case .publicOnly: self = .publicOnly
    // Without a name there is no host to reach: such a row was not written by this program.
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

/// The column `details`, a line each; neither labels nor values have tabs or ends of lines in them.
extension Manifest {
  /// Nil for none.
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
