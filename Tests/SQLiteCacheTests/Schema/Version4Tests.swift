import Foundation
import GRDB
import Models
import Testing
import Workers

@testable import SQLiteCache

struct Version4Tests {
  /// A library of an earlier version with one feed of two images, which is to be asked at a date.
  private func library(ofVersion version: Int) throws -> OldLibrary {
    let old = try OldLibrary()
    try old.connection().write { db in
      for migration in Schema.migrations[1..<version] { try db.execute(sql: migration) }
      try db.execute(sql: "PRAGMA user_version = \(version)")
      if version > 1 { try db.execute(sql: "UPDATE feed SET next_sync_at = 9, moved_to = 'a:b'") }
    }
    return old
  }

  @Test(arguments: 1...3)
  func `a library of an earlier version is read, and nothing is known of its feeds`(
    version: Int
  ) throws {
    let old = try library(ofVersion: version)
    let reader = SQLiteReader(folder: old.path)

    let feed = try #require(try reader.feeds().first)

    #expect(feed.reach == nil)
    #expect(feed.title == "Moon")
    #expect(feed.nextSync == (version > 1 ? Date(timeIntervalSince1970: 9) : nil))
    #expect(feed.movedTo == (version > 1 ? WebAddress("a:b") : nil))
    #expect(try reader.image(id: 1)?.feed.reach == nil)
    #expect(try reader.image(id: 1)?.feed.title == "Moon")
    #expect(try old.version() == version)
  }

  @Test(arguments: 1...3)
  func `a migrated feed is asked by the next sync, which stores how far it may lead`(
    version: Int
  ) throws {
    let old = try library(ofVersion: version)
    let reader = SQLiteReader(folder: old.path)
    let before = try reader.feeds().map(\.reach)
    let library = SQLiteLibrary(folder: old.path)
    let migrated = try #require(try library.feed(at: .feed))
    let note = FeedNote(status: .unchanged, reach: .host("nas"))
    _ = try library.noteSync(ofFeedAt: .feed, note, now: .first)

    #expect(before == [nil])
    #expect(migrated.reach == nil)
    #expect(migrated.nextSync == nil)
    #expect(migrated.movedTo == (version > 1 ? WebAddress("a:b") : nil))
    // The reader that was open before sees it, too.
    #expect(try reader.feeds().map(\.title) == ["Moon"])
    #expect(try SQLiteReader(folder: old.path).feeds().map(\.reach) == [.host("nas")])
    #expect(try old.version() == Int(Schema.version))
  }

  @Test(arguments: 1...3)
  func `a library of an earlier version is rehearsed on`(version: Int) throws {
    let old = try library(ofVersion: version)
    let rehearsal = try SQLiteLibrary(folder: old.path).rehearsal(ofFeedAt: .feed)

    #expect(try rehearsal.feed(at: .feed)?.imageCount == 0)
    #expect(try rehearsal.feed(at: .feed)?.reach == nil)
    #expect(try old.version() == version)
  }
}
