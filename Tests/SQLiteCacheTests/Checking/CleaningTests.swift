import Foundation
import GRDB
import Glibc
import Models
import Testing
import Workers

@testable import SQLiteCache

struct CleaningTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
  }

  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: store.path)
      .filter { $0.contains("originals/") && $0.contains(".") || $0.hasPrefix("partial/") }.sorted()
  }

  private func cleaned(
    feeds: Int = 0,
    images: Int = 0,
    originals: Int = 0,
    files: Int = 0,
    bytes: Int = 0
  ) -> CleanedLibrary {
    var cleaned = CleanedLibrary()
    cleaned.feeds = feeds
    cleaned.images = images
    cleaned.originals = originals
    cleaned.files = files
    cleaned.bytes = bytes
    return cleaned
  }

  @Test func `finds nothing to delete where everything is needed`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")

    #expect(try store.library.clean(isRehearsal: false).isEmpty)
    #expect(try store.library.original(imageID: 1) != nil)
  }

  @Test func `deletes what a removed feed has left`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    _ = try store.library.removeFeed(id: 1, purging: false)
    let expected = cleaned(feeds: 1, images: 2, originals: 1, bytes: 3)

    #expect(try store.library.clean(isRehearsal: true) == expected)
    #expect(try files().count == 1)
    #expect(try store.library.clean(isRehearsal: false) == expected)
    #expect(try files() == [])
    #expect(try store.numbers("SELECT count(*) FROM image") == [0])
    #expect(try store.library.clean(isRehearsal: false).isEmpty)
  }

  @Test func `keeps an original that a followed feed has, too`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    try store.sync([.sample("c", id: "3")], to: .otherFeed)
    try await store.storeOriginal([1, 2, 3], imageID: 3, from: "c")
    _ = try store.library.removeFeed(id: 1, purging: false)

    #expect(try store.library.clean(isRehearsal: true) == cleaned(feeds: 1, images: 2))
    #expect(try store.library.clean(isRehearsal: false) == cleaned(feeds: 1, images: 2))
    #expect(try store.library.original(imageID: 3) != nil)
  }

  @Test func `deletes originals that were replaced by newer ones`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    try await store.storeOriginal([4, 5], imageID: 1, from: "a")

    #expect(try store.library.clean(isRehearsal: false) == cleaned(originals: 1, bytes: 3))
    #expect(try files().count == 1)
    #expect(try store.library.original(imageID: 1)?.info.bytes == 2)
  }

  @Test func `deletes files that no row refers to`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    let folder = store.path + "/originals/00"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data([7, 7]).write(to: URL(fileURLWithPath: folder + "/strange.jpg"))

    #expect(try store.library.clean(isRehearsal: false) == cleaned(files: 1, bytes: 2))
    #expect(try files().count == 1)
  }

  @Test func `leaves a partial file that a process is writing`() throws {
    let partial = store.path + "/partial"
    try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: true)
    for name in ["98", "99"] {
      try Data([1]).write(to: URL(fileURLWithPath: "\(partial)/\(name)"))
    }
    let file = open(partial + "/98", O_RDWR)
    defer { close(file) }
    #expect(flock(file, LOCK_EX | LOCK_NB) == 0)

    #expect(try store.library.clean(isRehearsal: false) == cleaned(files: 1, bytes: 1))
    #expect(try files() == ["partial/98"])
  }
}
