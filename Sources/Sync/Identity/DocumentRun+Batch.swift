import Workers

extension DocumentRun {
  /// The stored images that each entry may be, found by one query, or by two if the first results need another.
  func candidates(
    of lookups: [EntryLookup],
    in store: any DocumentStoring,
    feedID: Int64?
  ) async throws(StoreError) -> [EntryCandidates] {
    var found = [EntryCandidates](repeating: EntryCandidates(), count: lookups.count)
    guard let feedID else { return found }
    if lookups.contains(where: { !$0.keys.isEmpty }) {
      found = try await store.candidates(for: lookups, feedID: feedID)
    }
    let further = lookups.indices.compactMap { index in
      furtherLookup(lookups[index], found[index]).map { (index: index, lookup: $0) }
    }
    guard !further.isEmpty else { return found }
    let more = try await store.candidates(for: further.map(\.lookup), feedID: feedID)
    for (index, candidates) in zip(further.map(\.index), more) { found[index].add(candidates) }
    return found
  }
}

/// Collects the changes to write for a run whose identities are decided.
extension DocumentRun {
  mutating func write(_ item: Item, at position: Int64) {
    if let stored = item.stored { return change(current(stored), item, at: position) }
    state.unwritten.add(item.image, entryID: item.entryID)
    add(item, at: position, behind: nil)
  }

  /// Gives all images of the run their positions, and collects the changes to write.
  ///
  /// - Parameter next: The lowest stored position above one; nil if it is missing.
  /// - Throws: the errors of `next`.
  mutating func assignPositions(
    next: (Int64) async throws(StoreError) -> Int64?
  ) async throws(StoreError) {
    guard !items.isEmpty else { return }
    let before = state.assigner.last
    let positions = try await state.assigner.positions(
      for: items.map { $0.stored?.position },
      next: next
    )
    var index = 0
    while index < items.count {
      if let length = putOffLengths[index] {
        keepForTheEnd(index..<index + length, positions)
        index += length
        continue
      }
      let item = items[index]
      if let stored = item.stored {
        change(current(stored), item, at: positions[index])
      } else {
        add(item, at: positions[index], behind: index > 0 ? positions[index - 1] : before)
      }
      index += 1
    }
  }

  private mutating func keepForTheEnd(_ range: Range<Int>, _ positions: [Int64]) {
    let entryID = items[range.lowerBound].entryID
    let entry = EntryLookup(entryID: entryID, images: items[range].map(\.image), keys: [])
    state.putOff.append(PutOffEntry(entry: entry, positions: Array(positions[range])))
  }

  private mutating func add(_ item: Item, at position: Int64, behind before: Int64?) {
    batch.added.append(
      NewImage(
        image: item.image,
        entryID: item.entryID,
        isAmbiguous: item.isAmbiguous,
        position: position,
        positionBefore: before
      )
    )
    state.counts.total += 1
    state.counts.new += 1
    if item.entryID == nil { state.hasImagesWithoutEntryID = true }
  }

  /// Collects the changes of a stored image; an unchanged image needs no write.
  private mutating func change(_ stored: StoredImage, _ item: Item, at position: Int64) {
    state.counts.total += 1
    state.see(stored.id)
    if stored.isGone || stored.fields != item.image.fields {
      let effect = PictureEffect(from: stored.fields, to: item.image.fields)
      batch.changes.append(.update(stored, item.image, effect))
      if stored.isGone || !effect.isOfSignatures { state.counts.changed += 1 }
    } else {
      if stored.isUnasked { batch.changes.append(.wake(stored.id)) }
      // An image of a library from before renditions were kept has none, and no field tells.
      let renditions = item.image.fields.renditions
      if !stored.hasThumbnail, !renditions.isEmpty {
        batch.changes.append(.renditions(renditions, of: stored.id))
      }
    }
    if stored.position != position { batch.changes.append(.move(stored.id, to: position)) }
    if let entryID = item.entryID, stored.entryID != entryID.text {
      batch.changes.append(.adopt(stored.id, by: entryID))
    }
  }
}

extension WantedCounts {
  mutating func add(_ batch: DocumentBatch) {
    thumbnails += batch.added.count
    for new in batch.added { addOriginal(new.image) }
    for case .update(let stored, let image, let effect) in batch.changes {
      if stored.hasThumbnail, effect.thumbnail != .kept { thumbnails += 1 }
      if stored.hasOriginal, effect.outdatesOriginal { addOriginal(image) }
    }
  }

  private mutating func addOriginal(_ image: DocumentImage) {
    originals += 1
    originalBytes += min(image.fields.bytes ?? 0, OriginalRequest.mostBytes)
  }
}
