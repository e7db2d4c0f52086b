import Workers

extension DocumentTransaction {
  mutating func gather(_ item: RunItem) {
    if let stored = item.stored {
      state.see(stored.id)
    } else {
      newHashes.insert(item.image.originalHash)
    }
    run.append(item)
  }

  mutating func writeRun() throws {
    guard !run.isEmpty else { return }
    let items = run
    let before = state.places.last
    let places = try state.places.places(for: items.map { $0.stored?.place }) {
      try queries.place(above: $0)
    }
    try checkNew(items, places, before)
    var fresh: [NewImageRow] = []
    var index = 0
    while index < items.count {
      if let length = putOffLengths[index] {
        keepForTheEnd(items[index..<index + length], places[index..<index + length])
        index += length
        continue
      }
      let item = items[index]
      if let stored = item.stored {
        try update(stored, item, at: places[index])
      } else {
        fresh.append(row(item, at: places[index]))
      }
      index += 1
    }
    try insert(fresh)
    run.removeAll(keepingCapacity: true)
    newHashes.removeAll(keepingCapacity: true)
    putOffLengths.removeAll()
  }

  /// Looks, of each row of new images, whether what is stored behind the image before them is one of them.
  private func checkNew(_ items: [RunItem], _ places: [Int64], _ before: Int64?) throws {
    if state.isFeedNew { return }
    var start = 0
    while let first = items[start...].firstIndex(where: { $0.stored == nil }) {
      let end = items[first...].firstIndex { $0.stored != nil } ?? items.count
      let place = first > 0 ? places[first - 1] : before
      try queries.checkAreNew(items[first..<end], after: place, seen: state.seen)
      start = end
    }
  }

  mutating func keepForTheEnd(_ items: ArraySlice<RunItem>, _ places: ArraySlice<Int64>) {
    let entry = PutOffEntry(
      entryID: items.first?.entryID,
      images: items.map(\.image),
      places: Array(places)
    )
    state.putOff.append(entry)
  }

  mutating func write(_ item: RunItem, at place: Int64) throws {
    if let stored = item.stored {
      try update(stored, item, at: place)
    } else {
      try insert([row(item, at: place)])
    }
  }

  private func row(_ item: RunItem, at place: Int64) -> NewImageRow {
    let published = item.image.fields.published
    return NewImageRow(
      image: item.image,
      feedID: feedID,
      entryID: item.entryID,
      isAmbiguous: item.isAmbiguous,
      place: place,
      date: NewImageRow.date(published: published, firstSeen: now),
      now: now
    )
  }

  private mutating func insert(_ rows: [NewImageRow]) throws {
    for id in try writing.insert(rows) { state.see(id) }
    state.counts.total += rows.count
    state.counts.new += rows.count
    if rows.indices.contains(where: { rows[$0].entryID == nil }) {
      state.hasImagesWithoutEntryID = true
    }
  }

  /// Writes what differs; for an image that is as it was, nothing.
  mutating func update(_ stored: StoredImage, _ item: RunItem, at place: Int64) throws {
    state.counts.total += 1
    state.see(stored.id)
    if stored.isGone || stored.fields != item.image.fields {
      try writing.update(stored, to: item.image, feedID: feedID)
      state.counts.changed += 1
    } else if stored.isUnasked {
      try writing.wake(stored.id)
    }
    if stored.place != place { try writing.move(stored.id, to: place) }
    if let entryID = item.entryID, stored.entryID == nil {
      try writing.adopt(stored.id, by: entryID)
    }
  }
}
