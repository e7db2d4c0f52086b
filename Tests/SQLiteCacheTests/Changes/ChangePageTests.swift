import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct ChangePageTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([
      .sample("a", id: "guid a", title: "Sea at night", thumbnail: "t", published: .first),
      .sample("b", id: "b", title: "Forest"),
    ])
  }

  private func page(_ request: ChangeRequest = ChangeRequest(limit: 100)) async throws -> ChangePage
  {
    try await store.settle()
    return try await store.library.changePage(request)
  }

  /// The lines as texts such as "image 1", without duplicates; a minus marks a removal.
  private func texts(_ page: ChangePage) -> [String] {
    var known: Set<String> = []
    return page.lines.map { line in
      let sign = line.state == .removed ? "-" : ""
      return "\(sign)\(line.position.kind) \(line.position.id)"
    }
    .filter { known.insert($0).inserted }
  }

  /// The number of the last change.
  private func number() async throws -> Int64 {
    try await store.settle()
    return try await store.library.version().number
  }

  private func counts(after number: Int64) async throws -> ChangeCounts {
    try await store.settle()
    return try await store.library.changeCounts(after: number)
  }

  private func images(_ page: ChangePage) -> [ImageState] {
    page.lines.compactMap { if case .image(let state) = $0.state { state } else { nil } }
  }

  @Test func `tells the whole state of what has changed`() async throws {
    try await store.storeOriginal([7, 7], imageID: 2, from: "b")
    let wanted = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 9)
    try await store.library.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
    _ = try await store.library.setPinned(true, imageID: 1)
    let hash = try #require(PictureInfo.sample.hash)
    let grey = [UInt8](repeating: 0, count: ColourGrid.bytes)
    try await store.library.store(colours: [hash: grey])

    let page = try await page()

    #expect(texts(page).sorted() == ["feed 1", "image 1", "image 2", "pin 1"])
    #expect(page.next == nil)
    #expect(try await page.version.library == store.library.version().library)
    let states = images(page).sorted { $0.id < $1.id }
    #expect(states.map(\.fields.title) == ["Sea at night", "Forest"])
    #expect(states.map(\.entryID) == ["guid a", "b"])
    #expect(states.map(\.feedID) == [1, 1])
    #expect(states[0].position < states[1].position)
    #expect(states[0].thumbnail?.info == .sample)
    #expect(states[0].thumbnail?.isStale == false)
    #expect(states[0].thumbnail?.colours == grey)
    #expect(states[0].original == nil)
    #expect(states[1].original?.info.bytes == 2)
    #expect(states[1].thumbnail == nil)
    let numbers = try store.numbers("SELECT change_seq FROM image ORDER BY id")
    #expect(states.map(\.number) == numbers)
  }

  @Test(arguments: 1...4) func `pages have every change once, in order`(limit: Int) async throws {
    let whole = try await page().lines.filter { $0.position.kind != .feed }
    var read: [ChangeLine] = []
    var position = ChangePosition.beginning
    while true {
      let page = try await page(ChangeRequest(position: position, limit: limit))
      #expect(page.lines.count <= limit + 1)
      read += page.lines
      guard let next = page.next else { break }
      position = next
    }

    #expect(read.filter { $0.position.kind != .feed } == whole)
    #expect(whole.count == 2)
    #expect(read.last?.position.kind == .feed)
  }

  @Test(arguments: 1...4) func `a feed comes before its images`(limit: Int) async throws {
    try await store.sync([.sample("c", id: "c")], to: .otherFeed)
    var feeds: Set<Int64> = []
    var position: ChangePosition? = .beginning
    while let start = position {
      let page = try await page(ChangeRequest(position: start, limit: limit))
      for line in page.lines {
        switch line.state {
        case .feed(let feed): feeds.insert(feed.id)
        case .image(let image): #expect(feeds.contains(image.feedID))
        default: Issue.record("nothing was removed or pinned")
        }
      }
      position = page.next
    }
    #expect(feeds == [1, 2])
  }

  @Test func `long texts end a page before its limit`() async throws {
    let caption = String(repeating: "long ", count: ChangePages.mostBytes / 10)
    let entries = (1...4).map { FeedEntry.sample("\($0)", id: "\($0)", caption: caption) }
    try await store.sync(entries, to: .otherFeed)

    let page = try await page(ChangeRequest(kinds: [.image], limit: 100))

    #expect(images(page).count < 6)
    let next = try #require(page.next)
    let rest = try await self.page(ChangeRequest(position: next, kinds: [.image], limit: 100))
    #expect(Set((images(page) + images(rest)).map(\.id)) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `only the kinds that are asked for count`() async throws {
    _ = try await store.library.setPinned(true, imageID: 1)

    #expect(try await texts(page(ChangeRequest(kinds: [.pin], limit: 1))) == ["pin 1"])
    #expect(try await texts(page(ChangeRequest(kinds: [.feed], limit: 1))) == ["feed 1"])
    _ = try await store.library.removeFeed(id: 1, purging: false)
    #expect(try await texts(page(ChangeRequest(kinds: [.feed], limit: 1))) == ["-feed 1"])
  }

  @Test func `a client that begins hears of no removals from before`() async throws {
    _ = try await store.library.removeFeed(id: 1, purging: false)
    try await store.sync([.sample("c", id: "c")], to: .otherFeed)
    let number = try await number()

    #expect(
      try await texts(page()).sorted() == ["-feed 1", "-image 1", "-image 2", "feed 2", "image 3"]
    )
    #expect(
      try await texts(page(ChangeRequest(start: number, limit: 100))).sorted() == [
        "feed 2", "image 3",
      ]
    )
  }

  // MARK: Parts of the library

  @Test func `a part has its images, and nothing of others`() async throws {
    try await store.sync([.sample("c", id: "c", title: "Sea")], to: .otherFeed, title: "Sun")
    let feed = LibraryPart(feedID: 2)
    let words = LibraryPart(search: "sea")
    let start = try await number()

    func texts(_ part: LibraryPart, since: Int64 = 0) async throws -> [String] {
      let position = ChangePosition(number: since, kind: .pin, id: .max)
      let request = ChangeRequest(position: position, start: start, part: part, limit: 100)
      return try await self.texts(page(request)).sorted()
    }

    #expect(try await texts(feed) == ["feed 2", "image 3"])
    #expect(try await texts(words) == ["feed 1", "feed 2", "image 1", "image 3"])

    try await store.sync([
      .sample("a", id: "guid a", title: "Night", thumbnail: "t", published: .first),
      .sample("b", id: "b", title: "Forest by the sea"),
    ])
    #expect(try await texts(words, since: start) == ["feed 1", "image 2"])
    #expect(try await texts(feed, since: start) == [])
    // The same page again, from the images that the store has kept.
    for _ in 0..<2 { #expect(try await texts(words, since: start) == ["feed 1", "image 2"]) }
    let images = try await page(ChangeRequest(part: words, limit: 100)).partImages
    #expect(images?.ids == [2, 3])
    #expect(try await page().partImages == nil)
  }

  @Test(arguments: 1...3) func `a page of a part ends at a change of the part`(limit: Int)
    async throws
  {
    try await store.sync([.sample("c", id: "c", title: "Sea")], to: .otherFeed, title: "Sun")
    _ = try await store.library.setPinned(true, imageIDs: [2, 3])
    _ = try await store.library.setPinned(false, imageIDs: [2])
    let part = LibraryPart(feedID: 2)
    var position: ChangePosition? = .beginning

    while let start = position {
      let page = try await page(ChangeRequest(position: start, part: part, limit: limit))
      position = page.next
      for found in page.lines.map(\.position) + [page.next].compactMap(\.self) {
        #expect(found.id == (found.kind == .feed ? 2 : 3))
      }
    }
  }

  @Test(.only(.sqlite, "removal in steps"))
  func `an image of a feed that is being removed is removed`() async throws {
    try store.execute("UPDATE feed SET is_removed = 1")

    #expect(try await texts(page()).sorted() == ["-image 1", "-image 2"])
  }

  @Test func `a damaged picture is as good as none`() async throws {
    let wanted = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 9)
    try await store.library.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
    try store.execute("INSERT INTO damage(image_id, kind) VALUES (1, 0)")

    #expect(try await images(page()).allSatisfy { $0.thumbnail == nil })
  }

  // MARK: Summaries

  @Test func `counts what is new`() async throws {
    let before = try await number()
    #expect(try await counts(after: before) == ChangeCounts())

    try await store.sync([.sample("c", id: "c"), .sample("d", id: "d")], to: .otherFeed)
    #expect(
      try await counts(after: before) == ChangeCounts(feeds: [2], images: 2)
    )

    let second = try await number()
    _ = try await store.library.removeFeed(id: 1, purging: false)
    #expect(
      try await counts(after: second) == ChangeCounts(feeds: [1], images: 2)
    )
  }

  @Test func `without a library there are no changes`() async throws {
    let empty = try TemporaryStore(isNew: true)

    #expect(try await empty.library.changePage(ChangeRequest(limit: 9)) == .none)
    #expect(try await empty.library.changeCounts(after: 0) == ChangeCounts())
    try await empty.library.prepareForFollowers()
    #expect(!FileManager.default.fileExists(atPath: empty.path))
  }
}

/// The removal of old tombstones.
@Suite(.onEachStore)
struct TombstoneTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([.sample("a", id: "a"), .sample("b", id: "b")])
    try await store.sync([.sample("c", id: "c")], to: .otherFeed)
    _ = try await store.library.removeFeed(id: 1, purging: false)
  }

  private func age(by days: Int) throws {
    try store.execute("UPDATE tombstone SET removed_at = removed_at - \(days * 86_400)")
  }

  @Test func `are kept for their time`() async throws {
    try age(by: ChangeLog.tombstoneDays - 1)
    try await store.library.prepareForFollowers()

    #expect(try store.numbers("SELECT count(*) FROM tombstone") == [3])
    #expect(try await store.library.changePage(ChangeRequest(limit: 9)).prunedNumber == 0)
  }

  @Test func `are forgotten then, and their last number is not`() async throws {
    let last = try store.numbers("SELECT max(change_seq) FROM tombstone")
    try age(by: ChangeLog.tombstoneDays + 1)
    _ = try await store.library.removeFeed(id: 2, purging: false)

    #expect(try store.numbers("SELECT id FROM tombstone ORDER BY id") == [2, 3])
    try await store.settle()
    let page = try await store.library.changePage(ChangeRequest(limit: 9))
    #expect([page.prunedNumber] == last)
    #expect(page.version.number > page.prunedNumber)
  }

  @Test func `are forgotten in steps`() async throws {
    let count = ChangeLog.tombstonesPruned + 3
    try store.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < \(999 + count))
      INSERT INTO tombstone(type, id, change_seq, removed_at) SELECT 1, i, i, 0 FROM n
      """
    )
    try age(by: ChangeLog.tombstoneDays + 1)
    let last = try store.numbers("SELECT max(change_seq) FROM tombstone")
    try await store.library.prepareForFollowers()

    #expect(try store.numbers("SELECT count(*) FROM tombstone") == [0])
    #expect(try store.numbers("SELECT pruned_seq FROM library") == last)
  }
}
