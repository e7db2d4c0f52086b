import Foundation
import LibraryFiles
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Lock files of feeds that have not been synced for a long time.
struct StaleLockTests {
  private let store: TemporaryLibrary
  private let folder: LibraryFolder

  init() async throws {
    store = try TemporaryLibrary()
    folder = LibraryFolder(store.path)
    try await store.sync([.sample("a", id: "1")])
    try FileManager.default.createDirectory(
      atPath: folder.locks,
      withIntermediateDirectories: true
    )
  }

  /// Leaves a lock file of such a feed.
  private func leave(_ address: WebAddress, daysAgo days: Double) throws {
    let path = folder.lock(feedAt: address)
    try Data("7 100\n".utf8).write(to: URL(fileURLWithPath: path))
    try age(path, days: days)
  }

  private func age(_ path: String, days: Double) throws {
    let date = Date(timeIntervalSinceNow: -days * 86_400)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }

  private func isThere(_ address: WebAddress) -> Bool {
    FileManager.default.fileExists(atPath: folder.lock(feedAt: address))
  }

  @Test func `are cleaned away after a week`() async throws {
    try leave(.feed, daysAgo: 6)
    try leave(.otherFeed, daysAgo: 8)

    #expect(try await store.library.clean(.rehearsal).files == 1)
    #expect(isThere(.otherFeed))
    #expect(try await store.library.clean(.now).files == 1)
    #expect(!isThere(.otherFeed))
    #expect(isThere(.feed))
    #expect(try await store.library.clean(.now).isEmpty)
  }

  @Test func `stay while a sync holds them, however long`() async throws {
    guard case .taken(let lock) = try await store.library.lockFeed(at: .feed, now: .first) else {
      Issue.record("a free lock was not taken")
      return
    }
    try age(folder.lock(feedAt: .feed), days: 8)

    #expect(try await store.library.clean(.now).files == 0)
    #expect(isThere(.feed))
    lock.release()
    try age(folder.lock(feedAt: .feed), days: 8)
    #expect(try await store.library.clean(.now).files == 1)
    #expect(!isThere(.feed))
  }
}
