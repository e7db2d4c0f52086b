import Models
import Workers

/// Sentences that explain the images of an entry.
extension Wording {
  /// Explains the images of an entry; it names the feed if there may be several.
  static func entry(
    _ entry: EntryExplanation,
    of feed: WebAddress? = nil
  ) -> SyncFeeds.Explained.Entry {
    let name =
      entry.title.map(quoted) ?? entry.id.map { "entry \($0)" } ?? "an entry without a title"
    let place = feed.map { " in \(quoted($0.masked))" } ?? ""
    let rows =
      entry.images.flatMap(rows) + entry.passed.map(row)
      + [entry.dateDoubt.map(row)].compactMap(\.self)
    let number = entry.images.isEmpty ? "no image" : count(entry.images.count, "image")
    return SyncFeeds.Explained.Entry(title: "\(name)\(place): \(number)", rows: rows)
  }

  /// A note that a feed has no images; nil for feeds with images, and for lists and galleries.
  static func emptiness(_ summary: FeedSyncSummary) -> String? {
    guard summary.list == nil, summary.images.total == 0, summary.feed?.isGallery != true else {
      return nil
    }
    let name = quoted(summary.feed?.title ?? summary.address.masked)
    return "\(name) has no images: nothing in it is read as the address of one"
  }

  private static func rows(_ image: EntryExplanation.Image) -> [SyncFeeds.Explained.Row] {
    [row("original", image.original, size: sizeOfOriginal)]
      + [image.thumbnail.map { row("thumbnail", $0, size: sizeOfThumbnail) }].compactMap(\.self)
  }

  private static func row(
    _ label: String,
    _ choice: EntryExplanation.Choice,
    size: (Int) -> String
  ) -> SyncFeeds.Explained.Row {
    let parts = [place(choice.place), choice.side.map(size)].compactMap(\.self)
    return SyncFeeds.Explained.Row(
      label: label,
      address: choice.address.masked,
      reason: parts.joined(separator: ", ")
    )
  }

  private static func row(_ passed: EntryExplanation.Passed) -> SyncFeeds.Explained.Row {
    SyncFeeds.Explained.Row(
      label: "not used",
      address: String(passed.address.prefix(200)),
      reason: "\(place(passed.place)), \(reason(passed.reason))"
    )
  }

  private static func row(_ doubt: EntryExplanation.DateDoubt) -> SyncFeeds.Explained.Row {
    switch doubt {
    case .unreadable(let text):
      row(date: String(text.prefix(200)), "not used", "cannot be read as a date")
    case .early(let date):
      row(date: timestamp(date), "doubtful", "before 1990, when there were no feeds")
    case .ahead(let date): row(date: timestamp(date), "doubtful", "more than a week ahead")
    }
  }

  private static func row(
    date: String,
    _ label: String,
    _ reason: String
  ) -> SyncFeeds.Explained.Row {
    SyncFeeds.Explained.Row(label: label, address: date, reason: "date, \(reason)")
  }

  private static func sizeOfOriginal(_ side: Int) -> String { "\(grouped(side)) pixels" }

  private static func sizeOfThumbnail(_ side: Int) -> String {
    side >= 200
      ? "the smallest with at least 200 pixels: \(grouped(side))"
      : "the largest, with \(grouped(side)) pixels"
  }

  /// The place of an address in its entry.
  static func place(_ place: EntryExplanation.Place) -> String {
    switch place {
    case .media: "Media RSS content"
    case .canvas: "body of a IIIF canvas"
    case .listed: "address in a JSON array"
    case .sitemap: "image of a sitemap"
    case .photo: "oEmbed photo"
    case .enclosure: "enclosure or attachment"
    case .imageField: "image field"
    case .markup: "HTML"
    case .thumbnail: "thumbnail"
    case .podcastImage: "podcast image"
    case .link: "target of a link in the HTML"
    case .file: "file"
    case .folder: "folder"
    case .member(let path): path
    case .rule: "made by the rule for its service"
    }
  }

  private static func reason(_ reason: EntryExplanation.Reason) -> String {
    switch reason {
    case .otherSize: "another size of an image, or the same again"
    case .otherChoice: "another picture of a choice"
    case .laterPlace: "a place that counts before it names the images"
    case .tooSmall: "less than 32 pixels on a side"
    case .otherMedium: "a video, a sound or a document"
    case .standIn: "a stand-in until a script loads the picture"
    case .repeated: "named by so many entries that it is no picture of this one"
    case .unreachable: "nothing that can be fetched"
    case .avatar: "the picture of a person"
    case .pixel: "a pixel that counts readers"
    case .decoration: "tiny, hidden, or a decoration of the page"
    case .foreign: "of a person, an album, a tag or a site"
    case .page: "not the address of an image, as far as its name and its value tell"
    case .hidden: "hidden by its name"
    case .symbolicLink: "a link, which is not followed"
    case .otherName: "its name is not that of a picture"
    case .otherContent: "there is no picture in it"
    case .unreadable: "it cannot be read, or is being written"
    case .specialFile: "a pipe, a socket or a device"
    case .systemFolder: "for copies of a system or a network drive"
    case .copies: "a library or an export"
    case .tooDeep: "in too many folders below one another"
    case .excessive: "beyond the number of images that the feed may have"
    }
  }
}
