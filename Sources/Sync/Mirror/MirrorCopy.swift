import Models
import Workers

/// The copy of a gallery in this library, while a sync writes it.
final class MirrorCopy {
  private let store: any MirrorStoring
  private let client: GalleryClient
  private let plan: SyncPlan
  /// The UUID of the gallery's library; nil before it has answered.
  private(set) var library: String?
  private(set) var counts = MirrorCounts()
  /// Whether anything was written.
  private(set) var hasNews = false

  init(_ store: any MirrorStoring, _ client: GalleryClient, plan: SyncPlan) {
    self.store = store
    self.client = client
    self.plan = plan
  }

  func mirror() async throws(Failure) -> MirrorState? {
    try await Failure.ofStore(await store.mirror(of: client.gallery.base))
  }

  func images(ofFeed id: Int64) async throws(Failure) -> [MirroredImage] {
    try await Failure.ofStore(
      await store.images(ofFeed: id, mirroredFrom: client.gallery.base),
      withoutLibrary: []
    )
  }

  /// Checks that a response is of the same library as those before it in the sync.
  ///
  /// A copy of another library at the same address is removed first, because the ids of the new library mean other
  /// images.
  func take(library: String) async throws(Failure) {
    if let known = self.library {
      if known != library { throw .fault(.otherLibrary) }
      return
    }
    if let mirror = try await mirror(), mirror.library != library {
      self.library = mirror.library
      for feed in mirror.feeds.keys.sorted() {
        try await remove(.image, try await images(ofFeed: feed).map(\.id))
      }
      try await remove(.feed, mirror.feeds.keys.sorted())
    }
    self.library = library
  }

  /// Applies a page, within the limits of one sync.
  func apply(_ page: MirrorPage) async throws(Failure) {
    guard let library else { throw .fault(.malformedPage) }
    if try await isOnlyCounted(page) { return }
    let target = MirrorTarget(
      gallery: client.gallery,
      library: library,
      reach: client.reach,
      now: client.tools.now(),
      isDryRun: plan.isDryRun
    )
    if !plan.isDryRun { try await Failure.ofStore(await client.tools.store.checkRoom(for: 0)) }
    counts.add(try await Failure.ofStore(await store.apply(page, to: target)))
    hasNews = hasNews || !page.lines.isEmpty
    let images = page.lines.count { $0.position.kind == .image }
    client.progress.update { $0.images += images }
    if counts.new > plan.bounds.images {
      throw .feed(.beyondBound(.images(plan.bounds.images), stored: counts.new))
    }
  }

  /// In a dry run, counts the images of a gallery that is not mirrored yet, without making a library.
  private func isOnlyCounted(_ page: MirrorPage) async throws(Failure) -> Bool {
    guard plan.isDryRun, try await mirror() == nil else { return false }
    for line in page.lines {
      if case .image = line.state { counts.new += 1 }
    }
    hasNews = hasNews || !page.lines.isEmpty
    return true
  }

  /// Removes rows that the gallery does not have any more, a page at a time.
  func remove(_ kind: ChangedKind, _ ids: some Collection<Int64>) async throws(Failure) {
    let ids = Array(ids)
    for start in stride(from: 0, to: ids.count, by: SyncLimits.removalsPerPage) {
      let lines = ids[start...].prefix(SyncLimits.removalsPerPage).map { id in
        ChangeLine(position: ChangePosition(number: 0, kind: kind, id: id), state: .removed)
      }
      try await apply(MirrorPage(lines: lines))
    }
  }
}
