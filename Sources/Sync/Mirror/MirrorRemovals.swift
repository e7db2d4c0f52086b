import Models
import Workers

/// The images of a copy that one sync would remove, by their ids in the gallery.
///
/// A gallery whose disk was lost must not empty its copies. So a sync that would remove more than a tenth of a copy, or
/// all of one that has few images, fails before the first of them is removed, unless the user accepts it
/// (`Documentation/Mirrors.md`).
struct MirrorRemovals {
  /// The copy before the sync; nil when it is new, or of another library.
  var before: MirrorState?
  /// The removed images; some may not be in the copy while they are few.
  var ids: Set<Int64> = []
  /// The images of the copy when they were read; nil until then.
  var held: Set<Int64>?
  /// The numbers of images that the sync had added and removed by then.
  var added = 0
  var removed = 0
}

extension MirrorCopy {
  /// Counts the images that lines remove.
  func note(_ lines: [ChangeLine]) async throws(Failure) {
    for kind in [ChangedKind.image, .feed] {
      let removed = lines.filter { $0.position.kind == kind && $0.state == .removed }
      try await note(kind, removed.map(\.position.id))
    }
  }

  /// Counts the images that are removed by their ids, or with their feeds.
  func note(_ kind: ChangedKind, _ removed: [Int64]) async throws(Failure) {
    guard !plan.acceptsRemovals, let before = removals.before else { return }
    switch kind {
    case .image:
      removals.ids.formUnion(removed)
      // Ids that are not in the copy must not pile up.
      if removals.ids.count * 10 > before.images {
        let held = try await heldImages(before)
        removals.ids.formIntersection(held)
      }
    case .feed:
      for feed in removed where before.feeds[feed] != nil {
        let images = try await self.images(ofFeed: feed)
        removals.ids.formUnion(images.map(\.id))
      }
    case .pin: break
    }
  }

  /// Fails when the copy would lose more than a tenth of its images, or all of few, which the user has to accept.
  func checkRemovals() async throws(Failure) {
    guard let before = removals.before, removals.ids.count * 10 > before.images else { return }
    let held = try await heldImages(before)
    let lost = removals.ids.count + removals.removed
    let total = held.count - removals.added + removals.removed
    if SyncLimits.isTooMuch(lost, of: total) {
      // With another token in its address, the gallery is at the same place. The user's word may also be about the key or
      // the part of the gallery at the address of its copy, and is needed again. A gallery that has taken the place of
      // the named one before needs none.
      let (named, base) = (plan.formerGallery, client.gallery.base)
      let own = named?.placeIdentity == base.placeIdentity ? base : nil
      let place = named == nil ? nil : former ?? own
      throw .fault(.removals(lost, of: total, takingOver: place))
    }
  }

  private func heldImages(_ before: MirrorState) async throws(Failure) -> Set<Int64> {
    if let held = removals.held { return held }
    var held: Set<Int64> = []
    for feed in before.feeds.keys { held.formUnion(try await images(ofFeed: feed).map(\.id)) }
    removals.held = held
    (removals.added, removals.removed) = (counts.new, counts.removed)
    return held
  }
}

extension ChangeLine {
  /// Whether it removes an image, or a feed with its images.
  var removesImages: Bool { state == .removed && position.kind != .pin }
}
