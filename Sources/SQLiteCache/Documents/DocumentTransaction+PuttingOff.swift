extension DocumentTransaction {
  func canPutOff(_ count: Int) -> Bool {
    state.putOffImages + count <= Limits.imagesPutOff
  }

  mutating func putOff(
    _ images: [DocumentImage],
    entryID: EntryID?,
    hints: [StoredImage]
  ) {
    state.putOffImages += images.count
    putOffLengths[run.count] = images.count
    for (index, image) in images.enumerated() {
      let hint = index < hints.count ? hints[index] : nil
      run.append(RunItem(image: image, entryID: entryID, stored: hint))
    }
  }

  /// What the images of an entry that was put off are; nil for one that was seen meanwhile.
  mutating func settled(_ entry: PutOffEntry) throws -> [RunItem?] {
    if let entryID = entry.entryID, !state.ledger.isAmbiguous(entryID.hash) {
      let candidates = try queries.images(entryID: entryID).filter { !state.seen.contains($0.id) }
      let match = EntryMatch(entry.images, candidates: candidates)
      return try zip(entry.images, match.stored).map { image, stored in
        try item(image, entryID: entryID, stored)
      }
    }
    return try entry.images.map { image in
      let isAmbiguous = entry.entryID != nil
      let byAddress = try stored(image, isAmbiguous: isAmbiguous)
      if let byAddress, state.seen.contains(byAddress.id) { return nil }
      let found = try byAddress ?? unseenImage(thumbnailOf: image)
      if let found { state.see(found.id) }
      return RunItem(image: image, isAmbiguous: isAmbiguous, stored: found)
    }
  }
}
