package import FoundationEssentials
package import Models

/// Makes a page of changes of what a store has read from one state of the library.
package struct ChangePages {
  /// A feed, and the number of its last change.
  package typealias NumberedFeed = (feed: Feed, number: Int64)

  /// Bytes of text in one page, from which on the rest is left to the next page.
  package static let mostBytes = 1 << 20

  private let request: ChangeRequest
  /// Those of the images that were asked about that belong to the part; nil for the whole library.
  private let part: Set<Int64>?
  private let pins: [Int64: Date]
  private let state: (Int64) throws -> ImageState?
  private let feed: (Int64) throws -> NumberedFeed?
  private var lines: [ChangeLine] = []
  /// The feeds whose lines the page has.
  private var feeds: Set<Int64> = []

  /// - Parameters:
  ///   - request: What the client asks for.
  ///   - part: Which of the images and pinned images of the changes belong to the part that it may see; nil for all.
  ///   - pins: When the pinned images of the changes were pinned.
  ///   - state: Reads an image; nil when no followed feed has it.
  ///   - feed: Reads a feed.
  package init(
    _ request: ChangeRequest,
    part: Set<Int64>?,
    pins: [Int64: Date],
    state: @escaping (Int64) throws -> ImageState?,
    feed: @escaping (Int64) throws -> NumberedFeed?
  ) {
    self.request = request
    self.part = part
    self.pins = pins
    self.state = state
    self.feed = feed
  }

  /// Makes a page of changes, one more than is asked for: that tells whether there are more.
  package mutating func page(
    of changes: [Change],
    version: LibraryVersion,
    prunedNumber: Int64
  ) throws -> ChangePage {
    let count = try take(changes.prefix(request.limit))
    return ChangePage(
      version: version,
      prunedNumber: prunedNumber,
      lines: lines,
      next: count < changes.count ? changes[count - 1].position : nil
    )
  }

  /// Takes changes until the page is long enough; answers with how many it has taken, at least one.
  private mutating func take(_ changes: ArraySlice<Change>) throws -> Int {
    var bytes = 0
    for (index, change) in changes.enumerated() {
      bytes += try take(change)
      if bytes >= Self.mostBytes || lines.count >= request.limit { return index + 1 }
    }
    return changes.count
  }

  /// Answers with about how many bytes its texts have.
  private mutating func take(_ change: Change) throws -> Int {
    let id = change.position.id
    if change.isRemoval {
      remove(change)
      return 0
    }
    switch change.position.kind {
    case .feed: try takeFeed(change)
    case .pin:
      if has(id), let date = pins[id] {
        lines.append(ChangeLine(position: change.position, state: .pin(date)))
      } else {
        remove(change)
      }
    case .image:
      guard has(id), let state = try state(id) else {
        remove(change)
        return 0
      }
      try announceFeed(of: state, change)
      lines.append(ChangeLine(position: change.position, state: .image(state)))
      return state.textBytes
    }
    return 0
  }

  /// What was there never, as far as the client can know, needs no removal.
  private mutating func remove(_ change: Change) {
    guard change.position.number > request.start else { return }
    lines.append(ChangeLine(position: change.position, state: .removed))
  }

  private mutating func takeFeed(_ change: Change) throws {
    guard hasFeed(change.position.id), let feed = try feed(change.position.id)?.feed else { return }
    feeds.insert(feed.id)
    lines.append(ChangeLine(position: change.position, state: .feed(feed)))
  }

  /// Puts the line of an image's feed before it, if the client may not have that yet.
  ///
  /// A feed's own line mostly comes behind those of its images, since the end of each sync changes the feed. A client
  /// that sees images by their words hears of feeds with the images alone.
  private mutating func announceFeed(of state: ImageState, _ change: Change) throws {
    guard request.kinds.contains(.feed), feeds.insert(state.feedID).inserted else { return }
    guard let (feed, number) = try feed(state.feedID) else { return }
    guard number > change.position.number || request.part.search != nil else { return }
    var position = change.position
    (position.kind, position.id) = (.feed, feed.id)
    lines.append(ChangeLine(position: position, state: .feed(feed)))
  }

  private func has(_ imageID: Int64) -> Bool { part?.contains(imageID) ?? true }

  /// Whether a feed's own changes are for the client.
  private func hasFeed(_ id: Int64) -> Bool {
    request.part.search == nil && request.part.feedID.map { $0 == id } ?? true
  }
}

extension ChangePage {
  /// Of no library.
  package static let none = ChangePage(
    version: LibraryVersion(library: "", epoch: 0, number: 0),
    prunedNumber: 0
  )
}

extension [Change] {
  /// The ids of a kind that are there.
  package func ids(_ kind: ChangedKind) -> [Int64] {
    filter { $0.position.kind == kind && !$0.isRemoval }.map(\.position.id)
  }
}
