import Models
import Workers

extension FeedSync {
  /// The gallery that the feed mirrors; nil for any other feed.
  func gallery(_ known: Feed?) async throws(StoreError) -> GalleryAddress? {
    if let gallery { return gallery }
    guard let known, known.isGallery else { return nil }
    let isStatic = try await tools.mirrors?.mirror(of: known.address)?.isStatic
    return GalleryAddress(base: known.address, isStatic: isStatic ?? false)
  }

  /// Mirrors a gallery instead of reading a document.
  mutating func mirror(
    _ gallery: GalleryAddress,
    _ known: Feed?
  ) async -> FeedSyncResult {
    guard let store = tools.mirrors else {
      note(SyncProblem(subject: .feed, address: gallery.base, failure: .fault(.notAGallery)))
      tell()
      return .done
    }
    await permit.take()
    let client = GalleryClient(
      gallery,
      reach: plan.reach ?? known?.reach ?? item.reach,
      bounds: plan.bounds,
      tools: tools,
      progress: shared.progress
    )
    let sync = MirrorSync(
      client: client,
      store: store,
      copy: MirrorCopy(store, client, plan: plan),
      known: known,
      plan: plan,
      shared: shared
    )
    let result = await sync.run()
    await take(result, of: gallery, client, from: store)
    if result.failure?.isCancellation == true, !result.hasNews { return .done }
    return await end()
  }

  private mutating func take(
    _ result: MirrorSync.Result,
    of gallery: GalleryAddress,
    _ client: GalleryClient,
    from store: any MirrorStoring
  ) async {
    summary.address = gallery.base
    summary.bytes += client.wireBytes
    summary.images.new = result.counts.new
    summary.images.changed = result.counts.changed
    summary.images.gone = result.counts.removed
    summary.newIDs = plan.isDryRun ? [] : result.counts.newIDs
    (summary.thumbnails, summary.originals) = (result.thumbnails, result.originals)
    summary.problems += result.problems
    summary.status = result.hasNews ? .updated : .unchanged
    if let failure = result.failure, !failure.isCancellation {
      summary.status = .failed
      note(SyncProblem(subject: .feed, address: gallery.base, failure: failure))
    }
    if !plan.isDryRun { await note(result, of: gallery, reach: client.reach) }
    guard let mirror = try? await store.mirror(of: gallery.base) else {
      summary.isUnknown = true
      return
    }
    summary.feed = mirror.feed
    summary.images.total = mirror.images
    summary.isLimited = mirror.isLimited
  }

  /// Notes how the sync ended; a gallery that the library does not have is not added.
  private mutating func note(
    _ result: MirrorSync.Result,
    of gallery: GalleryAddress,
    reach: FeedReach?
  ) async {
    if let failure = result.failure, failure.isCancellation { return }
    let note = FeedNote(
      status: summary.status,
      problem: result.failure.map(tools.wording),
      answer: FeedAnswer(validators: result.validators),
      reach: reach
    )
    do throws(StoreError) {
      _ = try await tools.store.noteSync(ofFeedAt: gallery.base, note, now: tools.now())
    } catch {
      if error.reason == .noLibrary || result.failure == .store(error) { return }
      self.note(SyncProblem(subject: .feed, address: gallery.base, failure: .store(error)))
    }
  }
}
