import Foundation
import GRDB
import Models
import Testing
import Workers

@testable import SQLiteCache

struct FileVersionTests {
  @Test func `a file whose first tables are made meanwhile is empty or ours, never foreign`() throws
  {
    let folder = try ScratchFolder()
    let file = folder.path + "/gallery.sqlite"
    let writer = try DatabaseQueue(path: file)
    try writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") }
    let statements = Locked(0)

    let version = try DatabaseQueue(path: file).unsafeRead { db in
      db.trace { _ in
        guard
          statements.withLock({
            $0 += 1
            return $0 == 2
          })
        else { return }
        #expect(throws: Never.self) { try writer.writeWithoutTransaction(SchemaSetup.migrate) }
      }
      return try FileVersion(db)
    }

    #expect(version == .empty)
  }

  @Test func `a file of version 1 is listed without being changed`() throws {
    let old = try OldLibrary()
    let reader = SQLiteReader(folder: old.path)
    var names: [String] = []

    let feeds = try reader.feeds()
    try reader.readImages(matching: ImageQuery(search: "moon"), batchSize: 10) { images in
      names += images.map(\.originalAddress.text)
      return true
    }

    #expect(feeds.map(\.address) == [.feed])
    #expect(feeds.map(\.isPaused) == [false])
    #expect(names == ["https://a.bc/a", "https://a.bc/b"])
    #expect(try reader.image(id: 2)?.feed.title == "Moon")
    #expect(try old.version() == 1)
  }

  @Test func `a reader of version 1 goes on when the file is migrated beside it`() throws {
    let old = try OldLibrary()
    let reader = SQLiteReader(folder: old.path)
    let before = try reader.feeds()
    let note = FeedNote(status: .failed, problem: "gone", isGone: true)
    _ = try SQLiteLibrary(folder: old.path).noteSync(ofFeedAt: .feed, note, now: .first)

    #expect(before.map(\.isPaused) == [false])
    #expect(try reader.feeds().map(\.isPaused) == [true])
    #expect(try old.version() == Int(Schema.version))
  }
}
