import Models
import Workers

extension Wording {
  /// A feed's name in a list.
  static func name(of feed: FeedReference) -> String { feed.title ?? feed.address.masked }

  /// A picture format as people write it.
  static func name(of format: ImageFormat) -> String {
    switch format {
    case .webP: "WebP"
    case .jpegXL: "JPEG XL"
    case .jpeg2000: "JPEG 2000"
    default: format.rawValue.uppercased()
    }
  }

  /// Says that a copy is not what its name stands for.
  static func misnamed(_ path: String, _ format: ImageFormat) -> String {
    "\(quoted(path)) is a \(name(of: format)) picture, as it was stored"
  }

  package static let emptyLibrary: HintedText = "no image is stored yet — \(.getImages)"

  /// A note that a list is empty; nil when it is not.
  static func endOfList(_ end: ListImages.FetchImages.Ended.Response) -> HintedText? {
    if end.isLibraryEmpty { return emptyLibrary }
    guard end.count == 0, end.nextOffset == nil else { return nil }
    if let skipped = end.skipped {
      let verb = skipped == 1 ? "matches" : "match"
      return
        "\(count(skipped, "image")) \(verb), and the offset skips \(skipped == 1 ? "it" : "them all")"
    }
    if let search = end.cameraSearch { return "no image matches — \(.quoteCamera(search: search))" }
    return "no image matches"
  }

  /// The headings of a list of images.
  package static let imageHeadings = ["ID", "DATE", "FEED", "TITLE", ""]

  /// The mark of an image with a picture that failed recently.
  package static let failedMark = "failed"

  /// An image's name: its id, and its title if it has one.
  static func name(of image: WebImage) -> String {
    image.title.map { "\(image.id) \(quoted($0))" } ?? String(image.id)
  }

  /// A stored thumbnail, in a line.
  static func thumbnail(_ thumbnail: PictureInfo, of image: WebImage) -> String {
    "\(name(of: image)): thumbnail, \(picture(thumbnail))"
  }

  /// The reason why a thumbnail has no path.
  static func filelessThumbnail(of image: WebImage) -> String {
    cannot(
      "print the path of the thumbnail of",
      quoted(String(image.id)),
      because: "it is stored, but not as a file of its own"
    )
  }

  /// A stored original, and whether it was fetched, in a line.
  static func original(_ fetched: FetchedOriginal, newer: [Successor] = []) -> String {
    let parts = [
      "\(state(of: fetched)) original", picture(fetched.original.info),
      fetched.resumedFrom > 0 ? "\(size(fetched.resumedFrom)) of it were here before" : nil,
    ]
    let line = parts.compactMap(\.self).joined(separator: ", ")
    return newer.isEmpty ? line : "\(line); a newer picture is kept beside it"
  }

  private static func state(of fetched: FetchedOriginal) -> String {
    if fetched.original.isDamaged { return "damaged" }
    if fetched.isUnchanged { return "unchanged" }
    return fetched.wasDownloaded ? "fetched" : "stored"
  }

  /// The facts about an image.
  static func description(
    of image: WebImage,
    _ original: StoredOriginal?,
    _ newer: [Successor] = [],
    _ details: PictureDetails? = nil
  ) -> [DescriptionField] {
    let fields: [(String, String?)] = [
      ("id", String(image.id)),
      ("title", image.title),
      ("caption", image.caption),
      ("author", image.author),
      ("licence", image.licence),
      (dateName(of: image.feed), image.published.map { localTime($0) }),
      ("first seen", localTime(image.firstSeen)),
      ("feed", "\(image.feed.id) \(name(of: image.feed))"),
      ("gallery", image.feed.gallery?.masked),
      ("manifest", image.manifest?.label),
      ("attribution", image.manifest?.attribution),
      ("page", image.pageAddress?.masked),
      ("thumbnail", image.thumbnailAddress?.masked),
      ("original", image.originalAddress.masked),
      ("size", size(upright(image.width, image.height, of: image))),
      ("stored", stored(image, original)),
      ("file", original?.path),
      ("SHA-256", original?.sha256),
      ("gone", image.isGone ? whyGone(image) : nil),
      ("pinned", image.isPinned ? "yes, so its pictures stay" : nil),
    ]
    let metadata = (image.manifest?.details ?? []).map { detail -> (String, String?) in
      ("metadata", detail.label.isEmpty ? detail.value : "\(detail.label): \(detail.value)")
    }
    return (fields + self.fields(of: details) + metadata).compactMap { name, value in
      value.map { DescriptionField(name: name, value: $0) }
    } + newer.map { DescriptionField(name: "newer", value: description(of: $0)) }
      + image.failures.map { DescriptionField(name: "failed", value: description(of: $0)) }
  }

  /// What the date of an image of a feed is called: a file of a folder is not published.
  static func dateName(of feed: FeedReference) -> String {
    feed.address.isFolder ? "date" : "published"
  }

  private static func whyGone(_ image: WebImage) -> String {
    image.feed.address.isFolder
      ? "its file is not in the folder any more" : "the feed no longer lists it"
  }

  private static func description(of failure: PictureFailure) -> String {
    let name = failure.kind == .original ? "original" : "thumbnail"
    let tries = failure.tries > 1 ? ", \(grouped(failure.tries)) times" : ""
    return "\(name)\(tries): \(clause(failure.reason))"
      + ", tried again from \(localTime(failure.retry, rounded: .up)) on"
  }

  private static func stored(_ image: WebImage, _ stored: StoredOriginal?) -> String {
    let thumbnail = image.thumbnail.map { info in
      "thumbnail (\(picture(info))\(image.isThumbnailDamaged ? ", damaged" : ""))"
    }
    var facts =
      stored.map { stored in
        [picture(stored.info, upright(stored.info.width, stored.info.height, of: image))]
      } ?? []
    if image.isOriginalDamaged {
      facts.append("damaged")
    } else if image.original == .stale {
      facts.append(
        stored?.isOfAddress(image) == true
          ? "before its thumbnail changed" : "before its feed named another"
      )
    }
    let details = facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
    let original = image.original.isStored ? "original\(details)" : nil
    let parts = [thumbnail, original].compactMap(\.self)
    return parts.isEmpty ? "nothing yet" : parts.joined(separator: ", ")
  }

  /// A newer picture that is kept beside a stored one, in a line.
  static func newer(_ newer: Successor, besideThatOf image: WebImage) -> String {
    "\(name(of: image)): newer \(description(of: newer))"
  }

  /// The facts about a newer picture, and why it does not replace the stored one.
  static func description(of newer: Successor) -> String {
    let kind = newer.kind == .original ? "original" : "thumbnail"
    let reasons = newer.doubts.map(reason).joined(separator: ", ")
    return """
      \(kind) (\(picture(newer.info))) of \(localTime(newer.arrived)), kept beside the stored one: \
      \(reasons)
      """
  }

  private static func reason(_ doubt: SuccessorDoubt) -> String {
    switch doubt {
    case .sign: "its address is that of a sign"
    case .redirected: "it came by a new redirect"
    case .shared: "other images have the same bytes"
    case .smaller: "it has less than a quarter of the area"
    case .otherFormat: "its format differs"
    case .otherShape: "its proportions differ"
    case .pinned: "the image is pinned"
    case .unlisted: "the image has left its feed"
    }
  }

  static func picture(_ info: PictureInfo) -> String {
    picture(info, PixelSize(known: info.width, info.height))
  }

  private static func picture(_ info: PictureInfo, _ sides: PixelSize?) -> String {
    let parts = [size(sides), name(of: info.format), size(info.bytes)]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  private static func size(_ sides: PixelSize?) -> String? {
    sides.map { "\($0.width) × \($0.height)" }
  }

  /// The sides of an image's original as it is shown.
  private static func upright(_ width: Int?, _ height: Int?, of image: WebImage) -> PixelSize? {
    let thumbnail = PixelSize(known: image.thumbnail?.width, image.thumbnail?.height)
    return PixelSize(known: width, height)?.upright(beside: thumbnail)
  }
}

// MARK: Feeds

extension Wording {
  /// The headings of a list of feeds.
  package static let noManifest = "no feed has a IIIF manifest"

  package static let feedHeadings = ["ID", "TITLE", "ADDRESS", "IMAGES", "SYNCED", "STATUS", ""]

  /// The number of a feed's damaged pictures; nil without any.
  static func damage(of feed: Feed) -> HintedText? {
    guard feed.damagedCount > 0 else { return nil }
    return "\(count(feed.damagedCount, "stored picture")) damaged — \(.repairPictures)"
  }

  /// A note that a list of feeds has masked secrets; nil without secrets.
  static func maskedAddresses(of feeds: [Feed]) -> String? {
    let number = feeds.count { $0.address.hasSecrets }
    guard number > 0 else { return nil }
    return "the secrets in \(count(number, "address", plural: "addresses")) are masked"
      + " — put them back before the list is used"
  }

  /// The note that a list for other programs lacks the galleries that are mirrored; nil for none.
  static func galleriesLeftOut(_ galleries: [Feed]) -> String? {
    guard let first = galleries.first else { return nil }
    let others = galleries.count - 1
    let names =
      quoted(first.title ?? first.address.masked)
      + (others > 0 ? " and \(count(others, "other gallery", plural: "other galleries"))" : "")
    return "\(names) \(others > 0 ? "are" : "is") not in the list, which is for other programs"
      + " — a sync of its address mirrors a gallery"
  }

  /// The result of a feed's last sync, or the gallery of a mirrored feed; empty before the first sync has ended.
  static func status(of feed: Feed) -> String {
    feed.gallery.map { "mirrored from \($0.masked)" } ?? feed.status?.rawValue ?? ""
  }

  /// The hub that tells of a feed's changes, and the end of its lease; empty without a lease.
  static func push(of feed: Feed) -> String {
    guard let end = feed.leaseEnd, let hub = feed.push.hub?.host else { return "" }
    return "pushed by \(hub) until \(localTime(end, rounded: .up))"
  }

  /// The changed settings of a feed, each in a line.
  static func changes(_ response: ListFeeds.ChangeFeed.Response) -> [HintedText] {
    let (feed, change) = (response.feed, response.change)
    let plain = [
      change.title.map { _ in naming(feed) },
      change.interval.map { asking($0.value, feed) },
      change.images.map { keeping($0.value, "image", feed) },
      change.originals.map { keeping($0.value, "original", feed) },
    ].compactMap { line in line.map { "\($0)" as HintedText } }
    return plain + (change.imageChoice.map { [choosing($0.value ?? .all, feed)] } ?? [])
  }

  private static func choosing(_ choice: ImageChoice, _ feed: Feed) -> HintedText {
    let name = quoted(feed.title ?? feed.address.masked)
    return switch choice {
    case .all: "\(name) gives all pictures of its entries from the next sync on"
    case .front:
      "\(name) gives only the picture in front of an entry from the next sync on\(staying(feed))"
    }
  }

  /// What becomes of the stored images of a feed that gives fewer of them from now on.
  private static func staying(_ feed: Feed) -> HintedText {
    guard feed.imageCount > 0 else { return "" }
    let stay = feed.imageCount == 1 ? "stays" : "stay"
    return """
       — its \(count(feed.imageCount, "stored image")) \(stay); \(.run(command: "remove \(feed.id) --purge")) deletes \
      all of them, and a sync of its address then brings those in front, under new ids
      """
  }

  private static func keeping(_ number: Int?, _ noun: String, _ feed: Feed) -> String {
    let name = quoted(feed.title ?? feed.address.masked)
    guard let number else { return "\(name) keeps all of its \(noun)s" }
    let verb = noun == "image" ? "keeps its" : "keeps the originals of its"
    return "\(name) \(verb) newest \(count(number, "image")) from the next sync on"
  }

  private static func asking(_ interval: Int?, _ feed: Feed) -> String {
    let name = quoted(feed.title ?? feed.address.masked)
    guard let interval else { return "gallery asks \(name) as often as it changes" }
    return "gallery asks \(name) every \(timeSpan(interval)) from now on"
  }

  /// A length of time in the largest unit that divides it evenly.
  private static func timeSpan(_ seconds: Int) -> String {
    let units = [("day", 86_400), ("hour", 3_600), ("minute", 60)]
    let unit = units.first { seconds % $0.1 == 0 } ?? ("second", 1)
    let number = seconds / unit.1
    return number == 1 ? unit.0 : "\(number) \(unit.0)s"
  }

  /// The new title of a feed, in a line.
  private static func naming(_ feed: Feed) -> String {
    let address = quoted(feed.address.masked)
    guard let title = feed.title else { return "\(address) has no title" }
    return feed.givenTitle == nil
      ? "\(address) has its own title again: \(quoted(title))"
      : "\(address) is called \(quoted(title)) from now on"
  }

  /// The result of pinning images, in a line.
  static func pinning(_ response: ListImages.PinImages.Response) -> String {
    let verb = response.count == 1 ? "is" : "are"
    return "\(count(response.count, "image")) \(verb) \(response.isPinned ? "" : "not ")pinned"
  }

  /// The result of removing a feed, in a line.
  static func removal(_ response: ListFeeds.RemoveFeed.Response) -> String {
    let removed = response.removed
    let name = quoted(removed.feed.title ?? removed.feed.address.masked)
    if removed.feed.isGallery {
      let feeds = count(removed.feed.listedFeedCount, "feed")
      let images = count(removed.images, "image")
      return response.wasPurged
        ? "removed the gallery \(name): \(feeds) and \(images) deleted"
        : "removed the gallery \(name): its \(feeds) and \(images) are hidden"
          + " — syncing its address again brings them back"
    }
    if removed.feed.isList {
      let feeds = count(removed.feed.listedFeedCount, "feed")
      let stay = removed.feed.listedFeedCount == 1 ? "stays as it is" : "stay as they are"
      return "removed the list \(name): gallery no longer asks for it — its \(feeds) \(stay)"
    }
    if response.wasPurged {
      let originals = removed.originals > 0 ? " and \(count(removed.originals, "original"))" : ""
      return "removed \(name): \(count(removed.images, "image"))\(originals) deleted"
    }
    let pronoun = removed.images == 1 ? "it" : "them"
    let origin = removed.feed.gallery == nil ? "" : " from its own server, and not from the gallery"
    return "removed \(name): \(count(removed.images, "image")) hidden"
      + " — syncing its address again brings \(pronoun) back\(origin)"
  }
}
