import Foundation
import Models
import Store
import TestSupport
import Workers

@testable import LibraryFiles
@testable import SQLiteCache

// MARK: State of earlier syncs

extension FaultyLibrary {
  /// Stores a feed and its entries.
  func keep(_ feed: Feed, entries: [FeedEntry], now: Date) {
    Self.sound {
      try library.write { db in
        try Self.insert(feed, now: now, db)
        try FeedQueries.update(feed, db)
        try FeedQueries.set(feed, db)
        if let reach = feed.reach { try FeedQueries.setReach(reach, id: feed.id, db) }
        let last: Int64? = try db.value("SELECT max(position) FROM image")
        let images = Self.images(of: entries, behind: last ?? 0)
        _ = try ImageWriting(feedID: feed.id, now: now.storedSeconds, db).insert(images)
        try FeedImageCount.add(images.count, toFeed: feed.id, db)
      }
    }
  }

  private static func images(of entries: [FeedEntry], behind position: Int64) -> [NewImage] {
    let images = entries.flatMap { entry in entry.images.map { (entry.id, $0) } }
    return images.enumerated().map { index, image in
      NewImage(
        image: DocumentImage(image.1),
        entryID: image.0.map(EntryID.init),
        isAmbiguous: false,
        position: position + Int64(index + 1) << 20,
        positionBefore: nil
      )
    }
  }

  /// Adds the row of a feed, with the id that it has.
  private static func insert(_ feed: Feed, now: Date, _ db: Store.Connection) throws {
    try db.run(
      "INSERT INTO feed(id, address, identity, added_at) VALUES ($1, $2, $3, $4)",
      feed.id,
      feed.address.text,
      feed.address.identity,
      now.storedSeconds
    )
    for alias in feed.aliases {
      try db.run("INSERT INTO feed_alias VALUES ($1, $2, $3)", alias.identity, alias.text, feed.id)
    }
  }

  /// Stores collections with these members of all feeds.
  func keep(_ members: [FeedMember]) {
    Self.sound {
      try library.write { db in
        try db.run("UPDATE feed SET format = $1", FeedFormat.iiif.rawValue)
        for feed in try db.column("SELECT id FROM feed") as [Int64] {
          for (position, member) in members.enumerated() {
            _ = try MemberQueries.store(
              member,
              feedID: feed,
              position: position,
              images: [],
              db
            )
          }
        }
      }
    }
  }

  /// Stores a list of feeds, with the feeds that it had when it was last read.
  func keep(list: Feed, of feeds: [WebAddress]) {
    var list = list
    list.format = .opml
    keep(list, entries: [], now: SyncBench.now)
    let sql =
      "INSERT INTO listed_feed(list_id, identity, address, position) VALUES ($1, $2, $3, $4)"
    Self.sound {
      try library.write { db in
        for (position, feed) in feeds.enumerated() {
          try db.run(sql, list.id, feed.identity, feed.text, position)
        }
      }
    }
  }

  /// Stores an original whose file has its length, and begins like one of its format.
  func keepOriginal(_ original: StoredOriginal, imageID: Int64, check: Date? = nil) {
    Self.sound {
      try library.write { db in
        let sql = "SELECT original_address FROM image WHERE id = $1"
        let named: WebAddress? = try db.row(sql, imageID) { row in try row.address(0) }
        let receipt = OriginalReceipt(
          info: original.info,
          address: original.address ?? named ?? .feed,
          validators: original.validators,
          arrived: SyncBench.now,
          checkDate: check ?? .distantFuture
        )
        try OriginalQueries.store(receipt, sha256: original.sha256, imageID: imageID, db)
        try writeFile(of: original)
        guard original.isStale else { return }
        let stale = "UPDATE image SET original_state = $1 WHERE id = $2"
        try db.run(stale, OriginalState.stale.rawValue, imageID)
      }
    }
  }

  /// Gives an image another thumbnail, as a document would.
  func name(_ address: WebAddress, asThumbnailOf imageID: Int64) {
    let sql = """
      UPDATE image SET thumbnail_address = $1, thumbnail_state = $2, thumbnail_check_at = NULL
      WHERE id = $3
      """
    Self.sound {
      _ = try library.write { db in
        try db.run(sql, address.text, ThumbnailState.wanted.rawValue, imageID)
      }
    }
  }

  private func writeFile(of original: StoredOriginal) throws {
    let path = library.folder.original(
      sha256: original.sha256,
      fileExtension: original.info.format.fileExtension
    )
    let parent = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    let picture = original.info.format == .png ? PictureBytes.png : PictureBytes.jpeg
    let rest = max(0, original.info.bytes - picture.count)
    let bytes = picture.prefix(original.info.bytes) + [UInt8](repeating: 0, count: rest)
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// Stores the first bytes of an original, as an attempt that broke off would.
  func keepPartial(_ bytes: [UInt8], of version: OriginalVersion, imageID: Int64) {
    let note = partialNote(imageID: imageID)
    Self.sound {
      try FileManager.default.createDirectory(
        atPath: note.folder,
        withIntermediateDirectories: true
      )
      try Data(bytes).write(to: URL(filePath: partial(imageID: imageID)))
      try note.write(KeptOriginal(version: version, length: bytes.count))
    }
  }
}

// MARK: What is stored

/// A stored failure of a picture.
struct RememberedFailure: Sendable, Equatable {
  var picture: FailedPicture
  var tries: Int
  var retry: Date
}

extension FaultyLibrary {
  /// The stored thumbnails, in the order of the images.
  var thumbnails: [FetchedThumbnail] {
    rows(
      """
      SELECT image_id, t.address, t.etag, t.last_modified, thumbnail_format, t.bytes,
        thumbnail_width, thumbnail_height, t.fetched_at, thumbnail_check_at, t.source_sha256,
        t.pack_id, t.offset
      FROM thumbnail AS t JOIN image ON image.id = image_id ORDER BY image_id
      """
    ) { row in
      guard let address = try row.address(1), let info = try row.picture(4),
        let fetched = try row.date(8)
      else { return nil }
      let pack = URL(filePath: path + "/thumbnails/\(try row.value(11) as Int).pack")
      let bytes = try Data(contentsOf: pack).dropFirst(row.value(12)).prefix(info.bytes)
      return try FetchedThumbnail(
        imageID: row.value(0),
        address: address,
        validators: Validators(entityTag: row.value(2), lastModified: row.value(3)),
        info: info,
        bytes: [UInt8](bytes),
        fetched: fetched,
        checkDate: row.date(9) ?? .distantPast,
        sourceSHA256: row.value(10)
      )
    }
  }

  /// The stored failures of one kind of picture, in the order of the images.
  func failed(_ kind: PictureKind) -> [RememberedFailure] {
    rows(
      """
      SELECT image_id, address, class, reason, failed_at, tries, retry_at FROM picture_failure
      WHERE kind = $1 ORDER BY image_id
      """,
      kind.rawValue
    ) { row in
      guard let address = try row.address(1), let failed = try row.date(4),
        let failureClass: FailureClass = try row.value(raw: 2), let retry = try row.date(6)
      else { return nil }
      let picture = try FailedPicture(
        imageID: row.value(0),
        address: address,
        failureClass: failureClass,
        reason: row.value(3),
        failed: failed
      )
      return try RememberedFailure(picture: picture, tries: row.value(5), retry: retry)
    }
  }

  /// The time at which the server of an image's thumbnail is asked about it.
  func thumbnailCheck(imageID: Int64) -> Date? {
    rows("SELECT thumbnail_check_at FROM image WHERE id = $1", imageID) { try $0.date(0) }.first
  }

  /// The addresses of the images' originals, in the order of the images.
  var originalAddresses: [WebAddress] {
    rows("SELECT original_address FROM image ORDER BY id") { try $0.address(0) }
  }

  /// The file of an image's original.
  func originalPath(imageID: Int64) -> String {
    let sql = """
      SELECT sha256, format FROM image_original JOIN original ON original.id = original_id
      WHERE image_id = $1
      """
    let files = rows(sql, imageID) { row in
      try LibraryFolder(path).original(sha256: row.value(0), row.value(raw: 1) ?? .jpeg)
    }
    return files.first ?? ""
  }

  /// The feeds that are followed.
  var storedFeeds: [Feed] {
    Self.sound { try library.read(FeedQueries.followed) }
  }

  private func rows<Element>(
    _ statement: String,
    _ values: any Parameter...,
    element: (Store.Row) throws -> Element?
  ) -> [Element] {
    Self.sound {
      let driver = try SQLiteDriver(path: path + "/gallery.sqlite", waiting: 5_000)
      return try Store.Connection(driver).rows(statement, with: values, element: element)
    }
  }
}
