import Models
import TestSupport
import Workers

extension MemoryLibrary {
  /// Makes a feed and images of it known, by name.
  func keep(_ feed: Feed, images names: [String]) {
    keep(feed, entries: names.map(FeedEntry.init), now: SyncBench.now)
  }

  /// The same of images, whose entries are named as their originals.
  func keep(_ feed: Feed, images: [FeedImage]) {
    let entries = images.map { image in
      let file = image.originalAddress.text.split(separator: "/").last ?? ""
      return FeedEntry(id: String(file.prefix { $0 != "." }), images: [image])
    }
    keep(feed, entries: entries, now: SyncBench.now)
  }

  /// The thumbnails that were asked about and are unchanged, in the order of the transactions.
  var keptThumbnails: [UnchangedPicture] {
    events.flatMap { event -> [UnchangedPicture] in
      if case .keptThumbnails(let thumbnails) = event { thumbnails } else { [] }
    }
  }

  /// The images of each transaction that stored thumbnails.
  var thumbnailBatches: [[Int64]] {
    events.compactMap { if case .storedThumbnails(let ids) = $0 { ids } else { nil } }
  }
}
