import Scenes

extension JSONLine {
  static func line(_ record: FeedSyncRecord) -> [UInt8] {
    object { line in
      line.member("feed") { feed in
        feed.member("id", record.feed.id)
        feed.member("url", record.feed.url)
        feed.member("title", record.feed.title)
        feed.member("format", record.feed.format)
      }
      line.member("status", record.status)
      line.member("images") { images in
        images.member("total", record.images.total)
        images.member("new", record.images.new)
        images.member("changed", record.images.changed)
        images.member("gone", record.images.gone)
      }
      line.member("thumbnails", record.thumbnails)
      line.member("originals", record.originals)
      line.member("bytes", record.bytes)
      line.member("seconds", record.seconds)
      line.member("dryRun", record.dryRun)
      line.member("problems", objects: record.problems) { problem, line in
        line.member("url", problem.url)
        line.member("reason", problem.reason)
        line.member("severity", problem.severity)
        line.member("detail", problem.detail)
      }
      line.member("failures", record.failures)
      line.member("newIDs", ranges: record.newIDs)
      line.member("list", record.list)
    }
  }

  static func lines(_ records: [ImageRecord]) -> [UInt8] {
    objects(records) { record, line in record.write(to: &line) }
  }

  static func line(_ record: ThumbnailRecord) -> [UInt8] {
    object { line in
      line.member("event", "thumbnail")
      line.member("id", record.id)
      line.member("title", record.title)
      line.member("type", record.type)
      line.member("bytes", record.bytes)
      line.member("width", record.width)
      line.member("height", record.height)
    }
  }

  static func line(_ record: ProgressRecord) -> [UInt8] {
    object { line in
      line.member("event", "progress")
      line.member("received", record.received)
      line.member("total", record.total)
    }
  }

  static func line(_ record: OriginalRecord) -> [UInt8] {
    object { line in
      line.member("event", "original")
      line.member("file", record.file)
      line.member("bytes", record.bytes)
      line.member("sha256", record.sha256)
      line.member("type", record.type)
      line.member("width", record.width)
      line.member("height", record.height)
      line.member("downloaded", record.downloaded)
      line.member("resumedFrom", record.resumedFrom)
      line.member("damaged", record.damaged)
    }
  }

  static func line(_ record: UnavailableRecord) -> [UInt8] {
    object { line in
      line.member("event", "unavailable")
      line.member("reason", record.reason)
      line.member("detail", record.detail)
    }
  }

  static func line(_ record: DescriptionRecord) -> [UInt8] {
    object { line in
      line.member("id", record.id)
      line.member("feed", record.feed)
      line.member("title", record.title)
      line.member("caption", record.caption)
      line.member("author", record.author)
      line.member("licence", record.licence)
      line.member("published", record.published)
      line.member("pageURL", record.pageURL)
      line.member("thumbnailURL", record.thumbnailURL)
      line.member("originalURL", record.originalURL)
      line.member("width", record.width)
      line.member("height", record.height)
      line.member("thumbnailStored", record.thumbnailStored)
      line.member("originalStored", record.originalStored)
      line.member("thumbnailDamaged", record.thumbnailDamaged)
      line.member("originalDamaged", record.originalDamaged)
      line.member("gone", record.gone)
      line.member("failures", record.failures)
      line.member("feedURL", record.feedURL)
      line.member("firstSeen", record.firstSeen)
      line.member("thumbnail", record.thumbnail) { $1.members($0) }
      line.member("original", record.original) { original, line in
        line.member("file", original.file)
        line.member("sha256", original.sha256)
        line.members(original.picture)
        line.member("stale", original.stale)
      }
      line.member("manifest", record.manifest)
    }
  }

  private mutating func member(_ name: StaticString, _ manifest: ManifestRecord?) {
    guard let manifest else { return member(name, nil as String?) }
    member(name) { line in
      line.member("title", manifest.title)
      line.member("pageURL", manifest.pageURL)
      line.member("attribution", manifest.attribution)
      line.member("rights", manifest.rights)
      line.member("metadata", objects: manifest.metadata) { detail, line in
        line.member("label", detail.label)
        line.member("value", detail.value)
      }
    }
  }

  static func line(_ record: FeedManifestRecord) -> [UInt8] {
    object { line in
      line.member("feed", record.feed)
      line.member("url", record.url)
      line.member("title", record.title)
      line.member("images", record.images)
    }
  }

  static func line(_ record: FeedRecord) -> [UInt8] {
    object { line in
      line.member("id", record.id)
      line.member("url", record.url)
      line.member("title", record.title)
      line.member("format", record.format)
      line.member("images", record.images)
      line.member("lastSync", record.lastSync)
      line.member("status", record.status)
      line.member("problem", record.problem)
      line.member("damaged", record.damaged)
      line.member("failures", record.failures)
      line.member("listedFeeds", record.listedFeeds)
    }
  }

  static func line(_ record: RemovalRecord) -> [UInt8] {
    object { line in
      line.member("id", record.id)
      line.member("url", record.url)
      line.member("images", record.images)
      line.member("originals", record.originals)
      line.member("purged", record.purged)
    }
  }

  static func line(_ record: CheckRecord) -> [UInt8] {
    object { line in
      line.member("event", record.event)
      line.member("kind", record.kind)
      line.member("ids", numbers: record.ids)
      line.member("file", record.file)
      line.member("reason", record.reason)
    }
  }

  static func line(_ record: VerificationRecord) -> [UInt8] {
    object { line in
      line.member("event", "ended")
      line.member("thumbnails", record.thumbnails)
      line.member("originals", record.originals)
      line.member("damaged", record.damaged)
      line.member("missing", record.missing)
      line.member("stray", record.stray)
      line.member("unreadable", record.unreadable)
      line.member("repaired", record.repaired)
      line.member("interrupted", record.interrupted)
    }
  }

  static func line(_ record: CleaningRecord) -> [UInt8] {
    object { line in
      line.member("feeds", record.feeds)
      line.member("images", record.images)
      line.member("originals", record.originals)
      line.member("files", record.files)
      line.member("bytes", record.bytes)
      line.member("dryRun", record.dryRun)
      line.member("emptied", record.emptied)
      line.member("trash", record.trash)
    }
  }

  private mutating func member(_ name: StaticString, _ files: CleaningRecord.Files) {
    member(name) { line in
      line.member("files", files.files)
      line.member("bytes", files.bytes)
    }
  }

  mutating func member(_ name: StaticString, _ failures: [FailureRecord]) {
    member(name, objects: failures) { failure, line in
      line.member("picture", failure.picture)
      line.member("reason", failure.reason)
      line.member("tries", failure.tries)
      line.member("failed", failure.failed)
      line.member("retry", failure.retry)
    }
  }

  private mutating func member(_ name: StaticString, _ failures: [FailureGroupRecord]) {
    member(name, objects: failures) { failure, line in
      line.member("picture", failure.picture)
      line.member("count", failure.count)
      line.member("reason", failure.reason)
      line.member("retry", failure.retry)
    }
  }

  private mutating func members(_ picture: DescriptionRecord.Picture) {
    member("bytes", picture.bytes)
    member("type", picture.type)
    member("width", picture.width)
    member("height", picture.height)
  }

  private mutating func member(_ name: StaticString, _ feed: ImageRecord.Feed) {
    member(name) { line in
      line.member("id", feed.id)
      line.member("title", feed.title)
    }
  }

  private mutating func member(_ name: StaticString, _ list: FeedSyncRecord.List?) {
    guard let list else { return member(name, nil as String?) }
    member(name) { line in
      line.member("total", list.total)
      line.member("new", list.new)
      line.member("lost", objects: list.lost) { url, line in line.member("url", url) }
    }
  }

  private mutating func member(_ name: StaticString, _ pictures: FeedSyncRecord.Pictures) {
    member(name) { line in
      line.member("stored", pictures.stored)
      line.member("failed", pictures.failed)
      line.member("waiting", pictures.waiting)
      if let bytes = pictures.waitingBytes { line.member("waitingBytes", bytes) }
    }
  }
}
