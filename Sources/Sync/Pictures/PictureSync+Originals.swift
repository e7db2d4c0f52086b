import Models
import Workers

/// The originals of a feed: those to keep, and those from which thumbnails are made.
extension PictureSync {
  /// Also makes thumbnails from originals that the sync of originals leaves out: they had no room, or only those of the
  /// feed's newest images are kept.
  ///
  /// Their images would otherwise have no thumbnail as long as newer originals take the room.
  mutating func fetchOriginals(withoutRoomIn originals: PictureSync) {
    guard originals.keeper.hasMetBound || feed.retention.originals != nil else { return }
    phases = [.stored, .notStored]
    budget = shared.passingBudget
    failedOriginals = originals.failedOriginals
  }

  /// Fetches originals, to keep them or to make thumbnails from them.
  mutating func fetchOriginals(
    _ originals: PictureFilter.Originals,
    made: (PictureOutcome) async -> Void,
    note: (SyncProblem) -> Void
  ) async {
    let (kind, budget, fetcher) = (kind, budget, originalFetcher)
    let fetch = { @Sendable (wanted: WantedPicture) in
      await kind == .original ? fetcher.fetch(wanted) : fetcher.makeThumbnail(wanted)
    }
    while true {
      var arrived = 0
      await workConcurrently(
        atOnce: SyncLimits.originalsAtOnce,
        next: {
          guard !keeper.isEnded, originals == .stored || !budget.isSpent else { return nil }
          return await nextOriginal(note: note)
        },
        work: fetch,
        handle: {
          if case .failed = $0.result {} else { arrived += 1 }
          await take($0, made: made, note: note)
        }
      )
      await replaceSigns(note: note) { await fetcher.makeThumbnail($0) }
      let unhoused = keeper.takeUnhoused()
      if unhoused.isEmpty { return }
      // Older originals that arrived at the same time did not give way. Now they do, and so do originals that are put
      // now. Those for thumbnails have left the disk.
      _ = await tools.objects?.putWaiting()
      for wanted in unhoused {
        await take(fetch(wanted), made: made, note: note)
        if keeper.takeUnhoused().isEmpty {
          arrived += 1
        } else {
          keeper.tellOfBound()
          // The next original for a thumbnail may be smaller.
          if kind == .original { return }
        }
      }
      guard kind == .madeThumbnail ? arrived > 0 : tools.objects != nil else {
        return keeper.tellOfBound()
      }
      keeper.goOn()
    }
  }

  var originalFetcher: OriginalFetcher {
    OriginalFetcher(
      origin: feed.origin,
      tools: tools,
      budget: budget,
      progress: shared.progress,
      makesThumbnails: shared.makesThumbnails,
      signs: shared.signs
    )
  }

  /// The next image whose original has not failed before in this sync.
  private mutating func nextOriginal(note: (SyncProblem) -> Void) async -> WantedPicture? {
    while let picture = await wanted.next(note: note) {
      if !failedOriginals.contains(picture.imageID) { return picture }
    }
    return nil
  }

  private mutating func take(
    _ outcome: PictureOutcome,
    made: (PictureOutcome) async -> Void,
    note: (SyncProblem) -> Void
  ) async {
    if kind == .original, case .failed(let failure) = outcome.result, !failure.isOfBounds {
      failedOriginals.insert(outcome.wanted.imageID)
    }
    await keeper.take(outcome, note: note)
    if case .original(_, let thumbnail?) = outcome.result { await made(thumbnail) }
  }
}
