import Foundation
import Models
import Store
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// A restored backup of the database of a library in a folder.
struct FollowedStateTests {
  private let store: TemporaryLibrary

  init() async throws {
    store = try TemporaryLibrary()
    try await store.sync([.sample("a", id: "a")])
    try await store.library.flush()
  }

  private var database: String { store.path + "/gallery.sqlite" }

  private func version() async throws -> LibraryVersion { try await store.library.version() }

  /// Another process that opens the library.
  private func reopened() -> SQLiteLibrary { SQLiteLibrary(folder: store.path) }

  /// Makes a backup, lets clients see a later change, and restores the backup by the given means.
  private func restore(_ means: (_ backup: String) throws -> Void) async throws -> LibraryVersion {
    let backup = store.path + "/backup"
    try FileManager.default.copyItem(atPath: database, toPath: backup)
    _ = try await store.library.set(.title("Mine"), ofFeed: 1)
    let told = try await version()
    try await store.library.noteFollowed(told)
    try await store.library.flush()
    try means(backup)
    return told
  }

  @Test func `a file in the place of the old one gets a new epoch and numbers of its own`()
    async throws
  {
    let told = try await restore { backup in
      try FileManager.default.removeItem(atPath: database)
      try FileManager.default.moveItem(atPath: backup, toPath: database)
    }
    let library = reopened()

    try await library.prepareForFollowers()

    let now = try await library.version()
    #expect(now.library == told.library)
    #expect(now.epoch == told.epoch + 1)
    #expect(now.number > told.number)
    _ = try await library.set(.title("Yours"), ofFeed: 1)
    #expect(try await library.version().number == now.number + 1)
    try await reopened().prepareForFollowers()
    #expect(try await reopened().version().epoch == now.epoch)
  }

  @Test func `a backup that is copied into the file is noticed by its lower number`() async throws {
    let told = try await restore { backup in
      let file = try FileHandle(forWritingTo: URL(filePath: database))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(contentsOf: URL(filePath: backup)))
      try file.close()
      try? FileManager.default.removeItem(atPath: database + "-wal")
      try? FileManager.default.removeItem(atPath: database + "-shm")
    }
    let library = reopened()

    // The first writer notices the restored file.
    _ = try await library.set(.title("Yours"), ofFeed: 1)

    #expect(try await library.version().epoch == told.epoch + 1)
    // Clients may have an image that was added after the backup.
    let writer = FeedWriter(library, feedAt: .feed, reach: nil, now: .second)
    try await writer.append([.sample("b", id: "b")])
    _ = try await writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: false)
    #expect(try await library.imageIDs(matching: ImageQuery()).max() ?? 0 > 1_000_000)
  }

  @Test func `the same file keeps its epoch`() async throws {
    try await store.library.noteFollowed(version())
    let library = reopened()
    _ = try await library.set(.title("Mine"), ofFeed: 1)
    try await library.prepareForFollowers()

    #expect(try await library.version().epoch == 1)
    #expect(try await library.version().number < 100)
  }

  @Test func `another library in the folder is not a restored one`() async throws {
    try await store.library.noteFollowed(version())
    try store.execute("UPDATE library SET uuid = 'other', change_seq = 0")

    try await reopened().prepareForFollowers()

    #expect(try await reopened().version().epoch == 1)
  }
}
