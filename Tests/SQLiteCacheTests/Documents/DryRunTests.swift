import Foundation
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// The changes that a document would make to a library, computed without writing to it.
@Suite(.onEachStore)
struct DryRunTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([.sample("x", thumbnail: "tx")], to: .otherFeed)
    try await store.sync(
      [.sample("a", id: "1", title: "A", thumbnail: "t1"), .sample("b", id: "2", thumbnail: "t2")],
      validators: Validators(entityTag: "\"1\"")
    )
  }

  /// The files in the library's folder, keyed by name, without the shared-memory index of SQLite's log:
  /// readers write to it.
  private func files() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: store.path)
      .filter { !$0.hasSuffix("-shm") && !isFolder("\(store.path)/\($0)") }
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        FileManager.default.contents(atPath: "\(store.path)/\(name)").map { (name, $0) }
      }
    )
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isThere && isFolder.boolValue
  }

  /// Tries a document on the library as another process would find it.
  private func tryOut(
    _ entries: [FeedEntry],
    in library: (any TemporaryStore.Library)? = nil,
    listsEverything: Bool = true
  ) async throws -> (written: WrittenFeed, wanted: WantedCounts) {
    let library = library ?? store.reopened()
    let writer = library.trialWriter(forFeedAt: .feed)
    for entry in entries { try await writer.append([entry]) }
    let end = FeedDocument(format: .json, title: "New", listsEverything: listsEverything)
    return (try await writer.finish(end, answer: FeedAnswer(), isWhole: true), writer.wanted)
  }

  private let next: [FeedEntry] = [
    .sample("a", id: "1", title: "Changed", thumbnail: "t1"), .sample("c", id: "3"),
  ]

  @Test func `counts what a sync would do`() async throws {
    let (written, wanted) = try await tryOut(next)
    let counts = try await store.sync(next, listsEverything: true)

    #expect(written.counts == ImageCounts(total: 2, new: 1, changed: 1, gone: 1))
    #expect(counts == written.counts)
    #expect(written.feed.id == 2)
    #expect(written.feed.title == "New")
    #expect(written.feed.status == .updated)
    #expect(wanted == WantedCounts(thumbnails: 1, originals: 1))
  }

  @Test func `counts pictures whose addresses have changed, when they were stored`() async throws {
    let orders = try await store.library.wanted(
      .thumbnail,
      feedID: 2,
      .missing,
      after: nil,
      limit: 1
    )
    try await store.library.store(PictureBatch(new: orders.map { .sample($0) }), .thumbnail)
    try await store.storeOriginal([1, 2, 3], imageID: 3, from: "b")

    let (written, wanted) = try await tryOut([
      .sample("a", id: "1", title: "A", thumbnail: "new1"),
      .sample("new", id: "2", thumbnail: "new2"),
    ])

    #expect(written.counts.changed == 2)
    #expect(wanted == WantedCounts(thumbnails: 1, originals: 1))
  }

  @Test func `sums up the bytes that feeds declare of what is to be fetched`() async throws {
    let sizes = [100, nil, 20].enumerated().map { index, bytes in
      var entry = FeedEntry.sample("s\(index)", id: "s\(index)")
      entry.images[0].bytes = bytes
      return entry
    }
    try await store.sync(sizes)
    try await store.storeOriginal([1, 2, 3], imageID: 6, from: "s2")
    var new = FeedEntry.sample("new", id: "new")
    new.images[0].bytes = 7

    let (_, wanted) = try await tryOut(sizes + [new])

    #expect(wanted == WantedCounts(thumbnails: 1, originals: 1, originalBytes: 7))
    #expect(try await store.library.count(of: .original, feedID: 2, .missing).declaredBytes == 100)
  }

  @Test func `finds nothing new in a document that is as it was`() async throws {
    let (written, wanted) = try await tryOut([
      .sample("a", id: "1", title: "A", thumbnail: "t1"), .sample("b", id: "2", thumbnail: "t2"),
    ])

    #expect(written.counts == ImageCounts(total: 2))
    #expect(written.feed.status == .unchanged)
    #expect(wanted == WantedCounts())
  }

  @Test func `knows its own new images again, though none is stored`() async throws {
    let once: [FeedEntry] = [.sample("x"), .sample("y"), .sample("x"), .sample("z", id: "g")]
    let twice = once + [.sample("w", id: "g"), .sample("x", id: "g")]

    let (written, _) = try await tryOut(twice)
    let counts = try await store.sync(twice, listsEverything: true)

    #expect(written.counts == counts)
  }

  @Test func `knows the feed when its document breaks off`() async throws {
    let library = store.reopened()
    let writer = library.trialWriter(forFeedAt: .feed)
    try await writer.append(next)

    let (feed, counts) = try await writer.breakOff(problem: "cut", isExcess: false)

    #expect(feed?.id == 2)
    #expect(feed?.problem == nil)
    #expect(counts == ImageCounts(total: 2, new: 1, changed: 1))
  }

  @Test(.only(.sqlite, "files of the database"))
  func `changes not a byte of the library`() async throws {
    try await store.sqlite.library.flush()
    let before = try files()
    _ = try await tryOut(next)

    #expect(try files() == before)
    #expect(before["gallery.sqlite"] != nil)
  }

  @Test func `makes no library where there is none`() async throws {
    let none = try TemporaryStore(isNew: true)
    let (written, wanted) = try await tryOut(next, in: none.library)

    #expect(written.counts == ImageCounts(total: 2, new: 2))
    #expect(wanted == WantedCounts(thumbnails: 2, originals: 2))
    #expect(!FileManager.default.fileExists(atPath: none.path))
    #expect(try await none.library.version().library == "")
  }

  @Test func `has what a collection's members list`() async throws {
    let member = FeedMember(address: .otherFeed, validators: Validators(entityTag: "\"m\""))
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.append(next)
    try await writer.endDocument(member: member)
    _ = try await writer.finish(FeedDocument(format: .iiif), answer: FeedAnswer(), isWhole: true)

    let again = store.library.trialWriter(forFeedAt: .feed)
    try await again.keepMember(at: member.address)

    #expect(again.counts.total == 2)
  }
}
