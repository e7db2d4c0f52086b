import Foundation
import GRDB
import Models
import Sync
import Workers

@testable import SQLiteCache

/// A library in a separate folder, which is deleted with it.
final class TemporaryLibrary {
  let path: String
  let library: SQLiteLibrary

  init(
    bounds: StorageBounds = StorageBounds(),
    objects: String? = nil,
    stopwatch: Stopwatch? = nil
  ) throws {
    path = FileManager.default.temporaryDirectory.path + "/gallery-test-\(UUID().uuidString)"
    library = SQLiteLibrary(
      folder: path,
      bounds: bounds,
      objects: objects,
      stopwatch: stopwatch
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Syncs one document, an entry at a time, and returns the counts.
  @discardableResult
  func sync(
    _ entries: [FeedEntry],
    to address: WebAddress = .feed,
    title: String? = "Moon",
    listsEverything: Bool = false,
    flaws: [DocumentFlaw] = [],
    validators: Validators = Validators(),
    answer: FeedAnswer? = nil,
    now: Date = .first
  ) async throws -> ImageCounts {
    let writer = library.writer(forFeedAt: address, now: now)
    for entry in entries { try await writer.append([entry]) }
    let document = FeedDocument(
      format: .rss,
      title: title,
      flaws: flaws,
      listsEverything: listsEverything
    )
    let answer = answer ?? FeedAnswer(validators: validators)
    return try await writer.finish(document, answer: answer, isWhole: true).counts
  }

  /// Stores an original of an image.
  func storeOriginal(_ bytes: [UInt8], imageID: Int64, from name: String) async throws {
    let file = try await library.openOriginalFile(imageID: imageID)
    try await file.restart(OriginalVersion(address: .picture(name)))
    try await file.append(bytes)
    let info = PictureInfo(format: .png, bytes: bytes.count, width: 1, height: 1)
    _ = try await file.commit(.sample(info, from: name))
  }

  func images(_ query: ImageQuery = ImageQuery(order: .feed)) async throws -> [WebImage] {
    try await library.images(matching: query)
  }

  /// The ids and original addresses, in the order of the query.
  func listing(_ query: ImageQuery = ImageQuery(order: .feed)) async throws -> [String] {
    try await images(query).map { "\($0.id) \($0.originalAddress.text.dropFirst(13))" }
  }

  func names(_ query: ImageQuery = ImageQuery(order: .feed)) async throws -> [String] {
    try await images(query).map { String($0.originalAddress.text.dropFirst(13)) }
  }

  /// A separate connection for reading the tables.
  func connection() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { db in LetterPairs.addFunction(to: db) }
    return try DatabaseQueue(path: path + "/gallery.sqlite", configuration: configuration)
  }

  /// Throws if a full-text index does not match the rows.
  func checkIndexes() throws {
    try connection().write { db in
      for table in ["image_search", "image_search_pairs"] {
        try db.execute(sql: "INSERT INTO \(table)(\(table), rank) VALUES ('integrity-check', 1)")
      }
    }
  }

  /// Turns the file into one that a program without the later migrations has written.
  func makeFirstVersion() throws {
    let later = Schema.migrations.dropFirst()
    for trigger in later.flatMap({ Self.names(after: "CREATE TRIGGER ", in: $0.rest) }) {
      try execute("DROP TRIGGER \(trigger)")
    }
    for index in later.flatMap({ Self.names(after: "CREATE INDEX ", in: $0.rest) }) {
      try execute("DROP INDEX \(index)")
    }
    for table in later.flatMap({ Self.names(after: "CREATE TABLE ", in: $0.tables) }) {
      try execute("DROP TABLE \(table)")
    }
    try execute("PRAGMA user_version = 1")
  }

  private static func names(after statement: String, in sql: String) -> [String] {
    sql.components(separatedBy: statement).dropFirst().map { String($0.prefix { $0 != " " }) }
  }

  func execute(_ sql: String) throws {
    try connection().write { db in try db.execute(sql: sql) }
  }

  func numbers(_ sql: String) throws -> [Int64] {
    try connection().read { db in try Int64.fetchAll(db, sql: sql) }
  }
}

/// A reader that keeps one state of a library visible, and thereby keeps the log from being reset.
final class OpenReader {
  private let queue: DatabaseQueue

  init(of store: TemporaryLibrary) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: store.path + "/gallery.sqlite", configuration: configuration)
    try queue.inDatabase { db in
      try db.execute(sql: "BEGIN DEFERRED TRANSACTION")
      _ = try Row.fetchOne(db, sql: "SELECT count(*) FROM image")
    }
  }

  func close() throws {
    try queue.inDatabase { db in try db.execute(sql: "COMMIT TRANSACTION") }
    try queue.close()
  }
}
