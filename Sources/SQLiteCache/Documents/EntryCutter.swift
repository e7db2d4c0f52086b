import Models

/// Cuts a stream of images into entries.
///
/// The last entry is held back, because the next images may belong to it, too.
struct EntryCutter {
  private var held: FeedEntry?

  /// Takes the next images, and answers with the entries that are complete with them.
  mutating func push(_ images: [FeedImage]) -> [FeedEntry] {
    var entries: [FeedEntry] = []
    // Looked at in their places, since each has many parts to copy.
    for index in images.indices {
      let image = DocumentImage(images[index])
      if held == nil || images[index].placeInEntry == 0 || held?.id != images[index].entryID {
        if let held { entries.append(held) }
        held = FeedEntry(id: images[index].entryID, images: [image])
      } else {
        held?.images.append(image)
      }
    }
    return entries
  }

  /// Takes the end, and answers with the last entry.
  mutating func finish() -> [FeedEntry] {
    defer { held = nil }
    return held.map { [$0] } ?? []
  }
}
