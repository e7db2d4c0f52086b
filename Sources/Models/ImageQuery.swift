package import FoundationEssentials

/// A filter for the images of the library, an order, and the part of the result to return.
package struct ImageQuery: Sendable, Equatable {
  /// The order of a listing; ties are broken by the position in the feed, then by id.
  package enum Order: String, Sendable, CaseIterable {
    /// By the date of publication (but not later than first seen), or else by first seen; latest first.
    case newest
    /// The reverse of `newest`.
    case oldest
    /// By title without regard to case and accents; images without a title last.
    case title
    /// By the date on which a sync first saw the image; latest first.
    case added
    /// By the moment at which the picture was taken, as its original says; latest first, and images whose originals do
    /// not say it last.
    case taken
    /// The document's own order, feed by feed.
    case feed
    /// A random order that depends on the seed and has each image once.
    case random
  }

  /// The shape by the longer side of a picture; the raw value is that of the column `shape`.
  package enum Shape: Int, Sendable {
    case portrait = -1
    case landscape = 1
  }

  package var order: Order
  /// Only images of this feed.
  package var feedID: Int64?
  /// Only images of the feeds in this list of feeds, and in the lists that it contains.
  package var listID: Int64?
  /// Only images of this manifest, by the store's number.
  package var manifestID: Int64?
  /// Words that an image must contain, each as a prefix; they are never read as query syntax.
  package var search: String?
  /// Only images whose date in the order `newest` is at this time or later, to the second.
  package var since: Date?
  /// Only images that a sync first saw at this time or later, to the second.
  package var addedSince: Date?
  /// Only images whose original is stored, or only images whose original is not stored.
  package var isOriginalStored: Bool?
  /// Only images that are pinned.
  package var isPinned: Bool
  /// Only images of this shape, by the stored thumbnail, or else by the declared size.
  package var shape: Shape?
  /// The most images to return; nil for all.
  package var limit: Int?
  /// The number of images to skip at the beginning.
  package var offset: Int
  /// Only images after this cursor, which must have been made for the same order.
  package var after: ImageCursor?
  /// The seed of the random order: the same seed gives the same order of the same images.
  package var seed: UInt64
  /// The part of the library that the client may see; images must match it, too.
  package var part: LibraryPart

  package init(
    order: Order = .newest,
    feedID: Int64? = nil,
    listID: Int64? = nil,
    manifestID: Int64? = nil,
    search: String? = nil,
    since: Date? = nil,
    addedSince: Date? = nil,
    isOriginalStored: Bool? = nil,
    isPinned: Bool = false,
    shape: Shape? = nil,
    limit: Int? = nil,
    offset: Int = 0,
    after: ImageCursor? = nil,
    seed: UInt64 = 0,
    part: LibraryPart = LibraryPart()
  ) {
    self.order = order
    self.feedID = feedID
    self.listID = listID
    self.manifestID = manifestID
    self.search = search
    self.since = since
    self.addedSince = addedSince
    self.isOriginalStored = isOriginalStored
    self.isPinned = isPinned
    self.shape = shape
    self.limit = limit
    self.offset = offset
    self.after = after
    self.seed = seed
    self.part = part
  }

  /// Whether the query has neither a filter nor an offset.
  package var matchesAll: Bool {
    feedID == nil && listID == nil && manifestID == nil && search == nil && since == nil
      && !isPinned && offset == 0 && !hasTraits && part.isWhole
  }

  /// The feeds to which the request and the client's part limit the images.
  package var feedIDs: [Int64] { Set([feedID, part.feedID].compactMap(\.self)).sorted() }

  /// Whether it filters by properties of the picture or by the time of its arrival.
  package var hasTraits: Bool { addedSince != nil || isOriginalStored != nil || shape != nil }
}

extension ImageQuery {
  /// A search with quotation marks around the name of a camera that needs them; the same text if none does.
  ///
  /// The name behind `camera:` ends with the last word that has a digit, as in `camera:PENTAX K-7`; so a year, which
  /// other texts have, too, ends none.
  package static func quotingCamera(_ search: String) -> String {
    let mark = "camera:"
    let words = search.split(whereSeparator: \.isWhitespace)
    guard !search.contains(where: { "\"\u{201C}\u{201D}\u{201E}".contains($0) }),
      let start = words.lastIndex(where: { $0.lowercased().hasPrefix(mark) })
    else { return search }
    let first = words[start].dropFirst(mark.count)
    let behind = words[(start + 1)...]
    guard
      let end = behind.lastIndex(where: isModel)
        ?? (first.isEmpty ? behind.first.map { _ in start + 1 } : nil)
    else { return search }
    let name = (first.isEmpty ? [] : [first]) + words[(start + 1)...end]
    let quoted = "\(mark)\"\(name.joined(separator: " "))\""
    return (words[..<start].map(String.init) + [quoted] + words[(end + 1)...].map(String.init))
      .joined(separator: " ")
  }

  /// The search with the name of its camera in quotation marks; nil if that is no other search.
  package var searchForCamera: String? {
    search.flatMap { search in
      let quoted = Self.quotingCamera(search)
      return quoted == search ? nil : quoted
    }
  }

  /// Whether a word may be the last one of a camera's name.
  private static func isModel(_ word: Substring) -> Bool {
    guard word.contains(where: \.isNumber) else { return false }
    return Int(word).map { !(1_900...2_099).contains($0) } ?? true
  }
}

/// A position in a list after one of its images, as the image's sort keys.
///
/// Unlike an offset, it stays valid when images are added or removed.
package struct ImageCursor: Sendable, Equatable {
  /// The first sort key if it is a number: seconds since 1970, the feed, or a key of the order `taken`.
  package var number: Int64
  /// The sort key of the title, in an order by title.
  package var title: String?
  /// The position of the image in its feed.
  package var position: Int64
  package var imageID: Int64

  package init(number: Int64, title: String? = nil, position: Int64, imageID: Int64) {
    self.number = number
    self.title = title
    self.position = position
    self.imageID = imageID
  }

  /// The opaque text for pages and programs: the numbers and the key of a title, separated by dots.
  package var text: String {
    let numbers = "\(number).\(position).\(imageID)"
    return title.map { "\(numbers).\($0)" } ?? numbers
  }

  /// Reads the text of a cursor for the given order; nil for any other text.
  package init?(_ text: String, in order: ImageQuery.Order) {
    let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == (order == .title ? 4 : 3), order != .random,
      let number = Int64(parts[0]), let position = Int64(parts[1]), let imageID = Int64(parts[2])
    else { return nil }
    self.init(
      number: number,
      title: parts.count == 4 ? String(parts[3]) : nil,
      position: position,
      imageID: imageID
    )
  }
}
