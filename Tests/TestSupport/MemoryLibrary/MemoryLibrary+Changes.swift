import Models
package import Workers

/// The change log of a library in memory.
///
/// It compares the present state with the state at the last query, and gives each difference the next number.
struct MemoryChangeLog: Sendable {
  struct Key: Hashable, Sendable {
    var kind: ChangedKind
    var id: Int64
  }

  /// The published part of an entity: without dates of syncs, failures and validators.
  enum Entity: Equatable, Sendable {
    case feed(Feed)
    case image(WebImage, position: Int64, entryID: String?, original: String?)
    case pin
  }

  private(set) var number: Int64 = 0
  private var seen: [Key: Entity] = [:]
  private var changes: [Key: Change] = [:]

  mutating func note(_ now: [Key: Entity]) {
    let changed = now.keys.filter { now[$0] != seen[$0] }
    let lost = seen.keys.filter { now[$0] == nil }
    if changed.isEmpty, lost.isEmpty { return }
    number += 1
    for key in changed + lost {
      let position = ChangePosition(number: number, kind: key.kind, id: key.id)
      changes[key] = Change(position: position, isRemoval: now[key] == nil)
    }
    // A pin is removed with its image, and the image's tombstone implies that.
    for key in lost where key.kind == .pin && now[Key(kind: .image, id: key.id)] == nil {
      changes[key] = nil
    }
    seen = now
  }

  func changes(after position: ChangePosition) -> [Change] {
    func key(_ position: ChangePosition) -> (Int64, Int, Int64) {
      (position.number, position.kind.rawValue, position.id)
    }
    return changes.values.filter { key($0.position) > key(position) }
      .sorted { key($0.position) < key($1.position) }
  }
}

extension MemoryLibrary {
  package func changes(after position: ChangePosition, limit: Int) throws(StoreError) -> [Change] {
    state.withLock { state in
      state.noteChanges()
      return Array(state.log.changes(after: position).prefix(limit))
    }
  }

  package func setPinned(_ isPinned: Bool, imageIDs: [Int64]) throws(StoreError) -> [Int64] {
    state.withLock { state in
      let shown = Set(state.images.filter { !state.removed.contains($0.feedID) }.map(\.id))
      let known = imageIDs.filter(shown.contains)
      if isPinned { state.pins.formUnion(known) } else { state.pins.subtract(known) }
      return known
    }
  }
}

extension MemoryLibrary.State {
  /// Updates the change log.
  mutating func noteChanges() {
    var now: [MemoryChangeLog.Key: MemoryChangeLog.Entity] = [:]
    for feed in feeds where !removed.contains(feed.id) {
      now[.init(kind: .feed, id: feed.id)] = .feed(feed.asOthersSeeIt)
    }
    for image in images where !removed.contains(image.feedID) {
      guard let entity = entity(of: image) else { continue }
      now[.init(kind: .image, id: image.id)] = entity
      if pins.contains(image.id) { now[.init(kind: .pin, id: image.id)] = .pin }
    }
    log.note(now)
  }

  private func entity(of image: MemoryLibrary.Image) -> MemoryChangeLog.Entity? {
    guard var seen = webImage(image) else { return nil }
    (seen.failures, seen.feed.title, seen.feed.reach) = ([], nil, nil)
    seen.manifest = manifest(of: image.id)
    let original = image.original?.sha256
    return .image(seen, position: image.position, entryID: image.entryID, original: original)
  }
}

extension Feed {
  fileprivate var asOthersSeeIt: Feed {
    var feed = self
    (feed.lastSync, feed.status, feed.problem, feed.nextSync) = (nil, nil, nil, nil)
    (feed.validators, feed.movedTo, feed.reach, feed.damagedCount) = (Validators(), nil, nil, 0)
    feed.schedule = FeedSchedule()
    return feed
  }
}
