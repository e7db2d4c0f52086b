package import Models

/// Identifies a library and its state.
package struct LibraryVersion: Sendable, Hashable {
  /// The library's UUID, in lower case; empty when there is no library yet.
  package var library: String
  /// A number that changes when a backup is restored.
  package var epoch: Int64
  /// The last change number (`change_seq`); 0 before the first.
  package var number: Int64

  /// How many numbers an epoch has.
  ///
  /// A library that may lack its last changes continues with the numbers of its next epoch. So no change gets the number
  /// of a missing one, which a client may have. All numbers stay exact in JSON (RFC 8259, section 6) for 8,000 epochs.
  package static let numbersOfEpoch: Int64 = 1 << 40

  /// How many ids of images and feeds are left out when the last changes of a library are missing.
  ///
  /// Clients may have the missing images and feeds, and no other may get their ids. The fastest sync of one process needs
  /// a minute to use so many.
  package static let idsLeftOut: Int64 = 1_000_000

  package init(library: String, epoch: Int64, number: Int64) {
    self.library = library
    self.epoch = epoch
    self.number = number
  }
}

/// A list of any length as its ids, with the months that they are from.
package struct Timeline: Sendable, Equatable {
  /// A run of consecutive images from the same month.
  package struct Run: Sendable, Equatable {
    /// The months since January of the year 0, in UTC; nil in an order that is not by date.
    package var month: Int?
    package var count: Int

    package init(month: Int?, count: Int) {
      self.month = month
      self.count = count
    }
  }

  /// The images, in the order of the query.
  package var ids: [Int64]
  /// The months of the images, in the same order; their counts add up to the number of ids.
  package var runs: [Run]

  package init(ids: [Int64], runs: [Run]) {
    self.ids = ids
    self.runs = runs
  }
}

extension Timeline {
  package init() { self.init(ids: [], runs: []) }

  /// Appends an image.
  ///
  /// - Parameters:
  ///   - id: The image.
  ///   - month: As in `Run`.
  package mutating func append(_ id: Int64, month: Int?) {
    ids.append(id)
    if let last = runs.indices.last, runs[last].month == month {
      runs[last].count += 1
    } else {
      runs.append(Run(month: month, count: 1))
    }
  }

  /// The months from January of the year 0 to a second since 1970, in UTC.
  package static func month(ofSecond second: Int64) -> Int {
    // Clamped far from the limits of the type; only a damaged file has such dates.
    let (year, month, _) = CalendarDay(ofSecond: min(max(second, -1 << 40), 1 << 40)).parts
    return 12 * year + month - 1
  }

  /// The seconds since 1970 of a month, in UTC.
  package static func seconds(ofMonth months: Int) -> Range<Int64> {
    func start(_ months: Int) -> Int64 {
      let year = (months >= 0 ? months : months - 11) / 12
      let day = CalendarDay(year: year, month: months - 12 * year + 1, day: 1)
      return Int64(day.daysSince1970) * 86_400
    }
    return start(months)..<start(months + 1)
  }

  /// A month as "2026-11", by the months since January of the year 0.
  package static func text(ofMonth months: Int) -> String {
    let (year, month) = (months / 12, months % 12 + 1)
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      + (month < 10 ? "-0\(month)" : "-\(month)")
  }
}

extension ImageQuery.Order {
  /// Whether the order is by a date, so that its timelines have months.
  package var isByDate: Bool {
    switch self {
    case .newest, .oldest, .added: true
    case .taken, .title, .feed, .random: false
    }
  }
}

/// The data of an image that a grid shows.
package struct ImageTile: Sendable, Equatable {
  package var id: Int64
  /// The title, or else the first line of the caption.
  package var name: String?
  /// The hash of the stored thumbnail; nil when it is missing or damaged.
  package var thumbnail: SHA256Digest?
  /// Width divided by height; nil when they are unknown.
  ///
  /// They are those of the stored thumbnail, or else those that the feed declares for the original.
  package var aspectRatio: Double?
  /// The bytes of the thumbnail's `ColourGrid`; empty when it cannot be decoded, nil while they are unknown.
  package var colours: [UInt8]?
  package var isOriginalStored: Bool
  package var isPinned: Bool

  package init(
    id: Int64,
    name: String? = nil,
    thumbnail: SHA256Digest? = nil,
    aspectRatio: Double? = nil,
    colours: [UInt8]? = nil,
    isOriginalStored: Bool = false,
    isPinned: Bool = false
  ) {
    self.id = id
    self.name = name
    self.thumbnail = thumbnail
    self.aspectRatio = aspectRatio
    self.colours = colours
    self.isOriginalStored = isOriginalStored
    self.isPinned = isPinned
  }
}

extension ImageTile {
  /// The name of an image with a title or a caption.
  package static func name(title: String?, caption: String?) -> String? {
    title ?? caption?.split(whereSeparator: \.isNewline).first.map(String.init)
  }

  /// Width divided by height; nil when either is unknown.
  package static func ratio(_ width: Int?, _ height: Int?) -> Double? {
    guard let width, let height, width > 0, height > 0 else { return nil }
    return Double(width) / Double(height)
  }
}

/// A picture in memory, with its format by content.
package struct PictureBytes: Sendable, Equatable {
  package var bytes: [UInt8]
  package var format: ImageFormat

  package init(bytes: [UInt8], format: ImageFormat) {
    self.bytes = bytes
    self.format = format
  }
}
