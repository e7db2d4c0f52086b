package import FoundationEssentials
package import Models

/// Makes a page of changes from the data that a store has read from one state of the library.
package struct ChangePages {
  /// A feed, and its change number.
  package typealias NumberedFeed = (feed: Feed, number: Int64)
  /// The date at which an image was pinned, and the change number of that pin.
  package typealias NumberedPin = (date: Date, number: Int64)

  /// The size of the texts in a page, in bytes, at which the page ends.
  package static let mostBytes = 1 << 20

  /// The changes to read at once, to find those of a part of the library.
  private static let changesPerStep = 1_000

  private let request: ChangeRequest
  private let pins: [Int64: NumberedPin]
  private let state: (Int64) throws -> ImageState?
  private let feed: (Int64) throws -> NumberedFeed?
  private var lines: [ChangeLine] = []
  /// The feeds whose lines are on the page.
  private var feeds: Set<Int64> = []

  /// - Parameters:
  ///   - request: The client's request.
  ///   - pins: The pins among the changes, and those of the changed images.
  ///   - state: Reads an image; nil when its feed is not followed.
  ///   - feed: Reads a feed.
  package init(
    _ request: ChangeRequest,
    pins: [Int64: NumberedPin],
    state: @escaping (Int64) throws -> ImageState?,
    feed: @escaping (Int64) throws -> NumberedFeed?
  ) {
    self.request = request
    self.pins = pins
    self.state = state
    self.feed = feed
  }

  /// The next changes that the client may learn of: one more than requested, which shows whether another page follows.
  ///
  /// A page of a part ends at a change of the part, because its cursor names the object of this change.
  ///
  /// - Parameters:
  ///   - request: The client's request.
  ///   - part: The images of the client's part; nil for all.
  ///   - read: Reads changes after a position, at most the given number.
  /// - Returns: The changes, in their order.
  /// - Throws: when the library cannot be read.
  package static func changes(
    for request: ChangeRequest,
    among part: PartImages?,
    _ read: (ChangePosition, Int) throws -> [Change]
  ) throws -> [Change] {
    guard let part else { return try read(request.position, request.limit + 1) }
    let step = max(request.limit + 1, changesPerStep)
    var (found, position): ([Change], ChangePosition) = ([], request.position)
    while found.count <= request.limit {
      let changes = try read(position, step)
      found += changes.filter { request.part.has($0, images: part) }
      guard changes.count == step, let last = changes.last else { break }
      position = last.position
    }
    return Array(found.prefix(request.limit + 1))
  }

  /// Makes a page from the changes that the client may learn of.
  package mutating func page(
    of changes: [Change],
    partImages: PartImages?,
    version: LibraryVersion,
    prunedNumber: Int64
  ) throws -> ChangePage {
    lines.reserveCapacity(min(changes.count, request.limit) + 1)
    let count = try take(changes.prefix(request.limit))
    return ChangePage(
      version: version,
      prunedNumber: prunedNumber,
      lines: lines,
      next: count < changes.count ? changes[count - 1].position : nil,
      partImages: partImages
    )
  }

  /// Adds changes until the page is full; returns their number, which is at least one.
  private mutating func take(_ changes: ArraySlice<Change>) throws -> Int {
    var bytes = 0
    for (index, change) in changes.enumerated() {
      bytes += try take(change)
      if bytes >= Self.mostBytes || lines.count >= request.limit { return index + 1 }
    }
    return changes.count
  }

  /// Adds a change, and returns the approximate size of its texts in bytes.
  private mutating func take(_ change: Change) throws -> Int {
    let id = change.position.id
    if change.isRemoval {
      remove(change)
      return 0
    }
    switch change.position.kind {
    case .feed: try takeFeed(change)
    case .pin:
      if let pin = pins[id] {
        lines.append(ChangeLine(position: change.position, state: .pin(pin.date)))
      } else {
        remove(change)
      }
    case .image:
      guard let state = try state(id) else {
        remove(change)
        return 0
      }
      try announceFeed(of: state, change)
      lines.append(ChangeLine(position: change.position, state: .image(state)))
      repeatPin(of: change)
      return state.textBytes
    }
    return 0
  }

  /// Adds the pin of an image behind the image, if its own line came before: a client without the image dropped it.
  private mutating func repeatPin(of change: Change) {
    guard request.kinds.contains(.pin), let pin = pins[change.position.id],
      pin.number < change.position.number
    else { return }
    var position = change.position
    position.kind = .pin
    lines.append(ChangeLine(position: position, state: .pin(pin.date)))
  }

  /// Adds a removal, unless the client cannot have the removed object.
  private mutating func remove(_ change: Change) {
    guard change.position.number > request.start else { return }
    lines.append(ChangeLine(position: change.position, state: .removed))
  }

  private mutating func takeFeed(_ change: Change) throws {
    guard let feed = try feed(change.position.id)?.feed else { return }
    feeds.insert(feed.id)
    lines.append(ChangeLine(position: change.position, state: .feed(feed)))
  }

  /// Adds the line of an image's feed before the image, if the client may not have that feed yet.
  ///
  /// A feed's own line usually follows those of its images, because the end of each sync changes the feed. A client
  /// that sees images by their words gets only the feeds of these images.
  private mutating func announceFeed(of state: ImageState, _ change: Change) throws {
    guard request.kinds.contains(.feed), feeds.insert(state.feedID).inserted else { return }
    guard let (feed, number) = try feed(state.feedID) else { return }
    guard number > change.position.number || request.part.search != nil else { return }
    var position = change.position
    (position.kind, position.id) = (.feed, feed.id)
    lines.append(ChangeLine(position: position, state: .feed(feed)))
  }
}

extension LibraryPart {
  /// Whether a change is of this part for sure, which is not the whole library.
  ///
  /// Nothing tells in which part a removed image was; `HeldImages` shows whether one has left the part.
  fileprivate func has(_ change: Change, images: PartImages) -> Bool {
    switch change.position.kind {
    case .feed: search == nil && feedID == change.position.id
    case .image: !change.isRemoval && images.contains(change.position.id)
    case .pin: images.contains(change.position.id)
    }
  }
}

extension ChangePage {
  /// An empty page, without a library.
  package static let none = ChangePage(
    version: LibraryVersion(library: "", epoch: 0, number: 0),
    prunedNumber: 0
  )
}

extension [Change] {
  /// The ids of a kind whose objects exist.
  package func ids(_ kind: ChangedKind) -> [Int64] {
    filter { $0.position.kind == kind && !$0.isRemoval }.map(\.position.id)
  }
}
