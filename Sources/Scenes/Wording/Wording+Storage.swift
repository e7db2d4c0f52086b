import FoundationEssentials
import Models
package import Workers

extension Wording {
  /// How many originals gave way to a bound, and whether some that exceed it stay; nil when there is nothing to say.
  package static func gaveWay(_ given: GivenWay, to bounds: StorageBounds) -> String? {
    let stays = given.excess > 0 && given.shown > 0
    if given.originals == 0, !stays { return nil }
    let bound = [
      bounds.keep.map { "originals take at most \(size($0))" },
      bounds.keepFree.map { "\(size($0)) of the disk stay free" },
    ].compactMap(\.self).joined(separator: ", and ")
    let gone =
      given.originals == 0
      ? bound : "\(count(given.originals, "original")), \(size(given.bytes)), gave way: \(bound)"
    if stays {
      return """
        \(gone); what was just shown takes \(size(given.excess)) more, and stays until the next command that lets \
        originals give way
        """
    }
    return given.excess > 0 ? "\(gone); no other original may give way" : gone
  }

  /// Says that the disk is smaller than what is to stay free of it.
  package static func unmeetable(_ bounds: StorageBounds) -> String {
    """
    the disk is smaller than the \(size(bounds.keepFree ?? 0)) that are to stay free: no original gives way for that, \
    and none is fetched
    """
  }

  /// Explains which pictures of an image are stored and why, and when they are requested or deleted.
  static func explanation(_ response: ShowImage.ExplainImage.Response) -> [DescriptionField] {
    let (image, storage) = (response.image, response.storage)
    let feed = "\(image.feed.id) \(name(of: image.feed)), \(state(of: storage.feed))"
    let paused = text(response.pauses, of: [storage.feed])
    return [
      .init(name: "image", value: name(of: image)),
      .init(name: "feed", value: feed),
      .init(
        name: "listed",
        value: image.isGone
          ? "no longer: the image stays until its feed is removed"
          : "by the feed when it was last read"
      ),
      .init(name: "thumbnail", value: thumbnail(image, storage)),
      .init(name: "original", value: original(image, storage, response.original)),
      .init(name: "kept", value: keeping(image, storage)),
    ] + response.newer.map { .init(name: "newer", value: description(of: $0)) }
      + [paused.map { .init(name: "paused", value: $0) }].compactMap(\.self)
  }

  private static func state(of feed: Feed) -> String {
    let last = feed.lastSync.map { "last read \(localTime($0))" } ?? "not read yet"
    if feed.isPaused { return "\(last); paused, because its server says that it is gone" }
    let failure = feed.problem.map { "; the last sync failed: \(clause($0))" } ?? ""
    let next = nextTry(feed.nextSync)
    let push = push(of: feed)
    return "\(last)\(failure); asked again \(next)" + (push.isEmpty ? "" : "; \(push)")
  }

  /// From when on a feed is asked again.
  static func nextTry(_ date: Date?) -> String {
    date.map { "from \(localTime($0, rounded: .up)) on" } ?? "with the next sync"
  }

  private static func thumbnail(_ image: WebImage, _ storage: ImageStorage) -> String {
    let failed = image.failures.first { $0.kind != .original }
    let failure = failed.map(reason)
    guard let stored = storage.thumbnailStored else {
      if storage.isThumbnailUnmade, let failed, failed.kind == .thumbnail {
        return "missing: \(clause(failed.reason)), and a sync makes one from the original"
      }
      let cause =
        image.thumbnailAddress == nil
        ? "the feed names none, and a sync makes one from the original"
        : "no sync has fetched it yet"
      return "missing: \(failure ?? cause)"
    }
    let reason =
      image.thumbnailAddress == nil
      ? "the feed names none" : "the one that the feed names could not be fetched"
    let parts = [
      storage.isThumbnailMade
        ? "made \(localTime(stored)) from the original, because \(reason)"
        : "fetched \(localTime(stored)) from the address that the feed names",
      image.isThumbnailDamaged ? "damaged; the next sync fetches it again" : nil,
      failure.map { "a newer one is missing: \($0)" },
      storage.thumbnailCheck.map(check),
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  private static func original(
    _ image: WebImage,
    _ storage: ImageStorage,
    _ original: StoredOriginal?
  ) -> String {
    let failure = image.failures.first { $0.kind == .original }.map(reason)
    if let original, original.isInPlace {
      return "the file \(quoted(original.path)), which stays where it is"
    }
    guard image.original.isStored, let stored = storage.originalStored else {
      let cause =
        image.feed.fileFolder != nil && image.feed.address.isFolder
        ? "its file is not in the folder, or has changed since the last sync"
        : "gallery fetches it when you view it, or with all originals of the feed"
      return "missing: \(failure ?? cause)"
    }
    let isStale = image.original == .stale && !image.isOriginalDamaged
    let source = storage.originalSource.flatMap {
      $0.identity == image.originalAddress.identity || isStale ? nil : $0.masked
    }
    let parts = [
      "stored \(localTime(stored))",
      source.map { "from another size that the feed names, \($0)" },
      storage.isAway
        ? "in the object store; gallery fetches it back when you view it"
        : storage.isPut ? "in the object store, too" : nil,
      image.isOriginalDamaged ? "damaged; gallery fetches it again when you view it" : nil,
      isStale ? outdated(image, original) : nil,
      failure,
      storage.originalCheck.map(check),
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  /// Why the stored original is outdated: its feed names another one, or its thumbnail has changed.
  private static func outdated(_ image: WebImage, _ original: StoredOriginal?) -> String {
    original?.isOfAddress(image) == true
      ? "its thumbnail has changed since, and gallery asks its server when you view it"
      : "the feed names another one now"
  }

  private static func reason(_ failure: PictureFailure) -> String {
    "\(clause(failure.reason)), tried again from \(localTime(failure.retry, rounded: .up)) on"
  }

  private static func check(_ date: Date) -> String {
    "from \(localTime(date, rounded: .up)) on, gallery asks its server whether it has changed"
  }

  /// Whether and when the original is deleted to make room for others.
  private static func keeping(_ image: WebImage, _ storage: ImageStorage) -> String {
    if image.isPinned { return "pinned: its original never gives way" }
    guard let bounds = text(storage.bounds) else {
      return "nothing gives way: there is no bound for originals"
    }
    let total = "originals take \(size(storage.originalBytes)), \(bounds)"
    guard image.original.isStored, storage.originalStored != nil, !storage.isAway else {
      return total
    }
    guard let before = storage.originalsBefore else {
      return storage.needsPut && !storage.isPut
        ? "\(total); this one stays until an object store has it"
        : "\(total); this one stays while another image needs it"
    }
    return before > 0
      ? "\(total); \(count(before, "other")) before this one to give way"
      : "\(total); this one gives way first"
  }

  /// The bounds of originals in words; nil for an unbounded library.
  static func text(_ bounds: StorageBounds) -> String? {
    let parts = [
      bounds.keep.map { "at most \(size($0))" },
      bounds.keepFree.map { "\(size($0)) of the disk stay free" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
