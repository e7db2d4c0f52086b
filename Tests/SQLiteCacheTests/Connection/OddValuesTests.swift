import Foundation
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// Rows that only a damaged file can have, because the tables do not allow such values.
struct OddValuesTests {
  private static let values = [
    "NULL", "9223372036854775807", "x'00ff'",
    "CAST(CAST(hex(zeroblob(40000)) AS BLOB) || x'ff00fe80' AS TEXT)",
  ]

  private let store: TemporaryLibrary

  /// Makes a row in every table, and tables without constraints.
  init() async throws {
    store = try TemporaryLibrary()
    try await store.sync([.sample("a", id: "1", thumbnail: "at"), .sample("b", id: "2")])
    let order = WantedPicture(
      imageID: 1,
      address: .picture("at"),
      rank: WantedPicture.Rank(date: 0, position: 0),
      since: .first
    )
    try await store.library.store(PictureBatch(new: [.sample(order)]), .thumbnail)
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    try store.library.notePause(of: "a.bc:443", until: .distantFuture)
    try await store.library.setVerificationMark(VerificationMark(thumbnail: 1, original: 1))
    try store.execute(Self.loosening)
    try await store.library.flush()
  }

  private static let loosening = """
    INSERT INTO picture_failure VALUES (2, 1, 'https://a.bc/b', 0, 'no', 1, 1, 1);
    INSERT INTO feed_alias VALUES ('https://feeds.example/old', 'https://feeds.example/old', 1);
    INSERT INTO listed_feed(list_id, identity, address, position)
      VALUES (1, 'https://feeds.example/2', 'https://feeds.example/2', 0);
    INSERT INTO member(feed_id, position, address) VALUES (1, 0, 'https://feeds.example/1');
    INSERT INTO member_image VALUES (1, 1);
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql =
      replace(replace(replace(sql, 'STRICT, ', ''), ' STRICT', ''), ' NOT NULL', '')
      WHERE type = 'table' AND name NOT LIKE 'image_search%';
    PRAGMA writable_schema = OFF;
    """

  @Test(arguments: values)
  func `fails over a value that cannot be there, or reads past it, and goes on`(value: String)
    async throws
  {
    var failures: Set<StoreError.Reason> = []
    for (table, column) in try columns() {
      let folder = try ScratchFolder()
      try await damage(table, column, value, in: folder)
      let library = SQLiteLibrary(folder: folder.path)
      for question in Self.questions {
        do { try await question(library) } catch let error as StoreError {
          failures.insert(error.reason)
        }
      }
    }

    #expect(failures.contains(.unreadable))
    #expect(failures.isDisjoint(with: [.noLibrary, .foreign, .newer, .readOnly, .full]))
  }

  @Test func `says of a value that cannot be there that the file is damaged`() async throws {
    let folder = try ScratchFolder()
    try await damage("feed", "image_count", "NULL", in: folder)

    await #expect(
      throws: StoreError(
        reason: .unreadable,
        path: folder.path + "/gallery.sqlite",
        message: "a row holds what it cannot hold"
      )
    ) { try await SQLiteLibrary(folder: folder.path).feeds() }
  }

  @Test func `deletes no file outside the folder, whatever a row names`() async throws {
    let folder = try ScratchFolder()
    try await damage("original", "row_checksum = NULL, sha256", "'/../outside'", in: folder)
    let outside = folder.path + "/outside.png"
    try Data([1]).write(to: URL(filePath: outside))
    try FileManager.default.createDirectory(
      atPath: folder.path + "/originals//.",
      withIntermediateDirectories: true
    )

    let library = SQLiteLibrary(folder: folder.path)
    _ = try await library.removeFeed(id: 1, purging: true)
    _ = try await library.clean(.now)

    #expect(FileManager.default.fileExists(atPath: outside))
  }

  @Test func `gives no date that cannot be written`() async throws {
    let folder = try ScratchFolder()
    try await damage("image", "published_at", "9223372036854775807", in: folder)

    let image = try await SQLiteLibrary(folder: folder.path).image(id: 1)

    #expect(image?.published?.timeIntervalSince1970 == 253_402_300_799)
  }

  private func columns() throws -> [(table: String, column: String)] {
    try store.connection().rows(
      """
      SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
      WHERE t.type = 'table' AND t.name NOT LIKE 'image_search%' AND t.name NOT LIKE 'sqlite%'
        -- A number by which SQLite itself finds the row can be nothing else.
        AND NOT (c.pk = 1 AND c.type = 'INTEGER')
      """
    ) { row in try (row.value(0), row.value(1)) }
  }

  /// Copies the library and sets a column of one row; skips a value that a key cannot have.
  private func damage(
    _ table: String,
    _ column: String,
    _ value: String,
    in folder: ScratchFolder
  ) async throws {
    let copy = folder.path + "/gallery.sqlite"
    try FileManager.default.copyItem(atPath: store.path + "/gallery.sqlite", toPath: copy)
    try Store.Connection.execute(
      "PRAGMA foreign_keys = OFF; UPDATE OR IGNORE \(table) SET \(column) = \(value)",
      in: copy
    )
  }

  /// The queries of the commands, each run separately.
  private static let questions: [@Sendable (SQLiteLibrary) async throws -> Void] = [
    { _ = try await $0.feeds() },
    { _ = try await $0.images(matching: ImageQuery(order: .random)) },
    { _ = try await $0.images(matching: ImageQuery(search: "moon")) },
    { _ = try await $0.image(id: 1) },
    { _ = try await $0.thumbnailBytes(imageID: 1) },
    { _ = try await $0.original(imageID: 1) },
    { _ = try await $0.databaseFaults() },
    { _ = try await $0.storedThumbnails(after: 0, limit: 9) },
    { _ = try await $0.filedOriginals(after: 0, limit: 9) },
    { _ = try await $0.verificationMark() },
    { _ = try await $0.clean(.rehearsal) },
    { _ = try $0.pause(of: "a.bc:443") },
    { _ = try await $0.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 9) },
    { _ = try await $0.wanted(.original, feedID: 1, .missing, after: nil, limit: 9) },
    { _ = try await $0.due(.thumbnail, feedID: 1, .missing) },
    { _ = try await $0.checks(.thumbnail, imageIDs: [1]) },
    { _ = try await $0.contents(ofFeedAt: .feed).members },
    { library in
      let writer = library.writer(forFeedAt: .feed, now: .second)
      try await writer.append([.sample("a", id: "1", thumbnail: "at2"), .sample("c", id: "3")])
      _ = try await writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: true)
    },
    { _ = try await $0.removeFeed(id: 1, purging: true) },
  ]
}
