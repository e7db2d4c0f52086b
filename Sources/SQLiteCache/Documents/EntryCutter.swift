import Models

/// Cuts a stream of images into entries.
///
/// The last entry is held back, because the next images may belong to it, too.
struct EntryCutter {
  private var held: FeedEntry?

  /// Takes the next images, and answers with the entries that are complete with them.
  mutating func push(_ images: [FeedImage]) -> [FeedEntry] {
    var entries: [FeedEntry] = []
    for image in images {
      if held == nil || image.placeInEntry == 0 || held?.id != image.entryID {
        if let held { entries.append(held) }
        held = FeedEntry(id: image.entryID, images: [DocumentImage(image)])
      } else {
        held?.images.append(DocumentImage(image))
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
