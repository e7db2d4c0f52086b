import FoundationEssentials
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// Entries whose ids change while their pictures stay, and entries that only their page identifies.
@Suite(.onEachStore)
struct RenamedEntryTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test(arguments: [
    ("http://blog.example/?p=1", "https://blog.example/?p=1"),
    ("http://www.blog.example/1", "https://blog.example/1"),
    ("https://blog.example/1", "https://blog.example/1/"),
    ("https://blog.example/1/#top", "http://www.blog.example/1#top"),
    ("https://blog.example?p=1", "https://blog.example/?p=1"),
  ])
  func `an id in another spelling is the same entry, even if its picture moves`(
    _ former: String,
    _ id: String
  ) async throws {
    try await store.sync([.sample("a", id: former), .sample("b", id: "other")])

    let respelled = try await store.sync([.sample("a", id: id), .sample("b", id: "other")])
    let again = try await store.sync([.sample("a", id: id), .sample("b", id: "other")])
    let back = try await store.sync([.sample("cdn/a", id: former), .sample("b", id: "other")])

    #expect(respelled == ImageCounts(total: 2))
    #expect(again == ImageCounts(total: 2))
    #expect(back == ImageCounts(total: 2, changed: 1))
    #expect(try await store.listing() == ["1 cdn/a", "2 b"])
  }

  @Test(arguments: [
    ("http://blog.example/1", "https://blog.example/2"), ("urn:a", "urn:a/"),
    ("http://blog.example/a", "http://blog.example/A"),
    ("http://one.example/1", "http://two.example/1"),
  ])
  func `another id is another entry`(_ former: String, _ id: String) async throws {
    try await store.sync([.sample("a", id: former)])

    #expect(try await store.sync([.sample("b", id: id)]) == ImageCounts(total: 1, new: 1))
  }

  @Test(arguments: [
    (FeedEntry.sample("a", id: "1", title: "A"), FeedEntry.sample("a", id: "x", title: "A")),
    (
      .sample("a", id: "1", title: "A", published: .first),
      .sample("a", id: "x", title: "Renamed", published: .first)
    ),
    (
      .sample("a", id: "1", title: "A", published: .first),
      .sample("a", id: "x", title: "A", published: .second)
    ),
  ])
  func `an entry with a new id keeps its image when its address and title or date stay`(
    _ entry: FeedEntry,
    _ renamed: FeedEntry
  ) async throws {
    try await store.sync([entry, .sample("b", id: "2", title: "B")])
    let documents = [[renamed], [renamed, .sample("b", id: "y", title: "B")]]

    let first = try await store.sync(documents[0])
    let second = try await store.sync(documents[1])
    let moved = try await store.sync([.sample("a2", id: "x", title: "A")])

    #expect([first.new, second.new, moved.new] == [0, 0, 0])
    #expect(try await store.sync(documents[1]).changed == 1)
    #expect(Set(try await store.listing()) == ["1 a", "2 b"])
  }

  @Test func `a newer post with the same picture is another image`() async throws {
    let old = FeedEntry.sample("stock", id: "1", title: "Old", published: .first)
    try await store.sync([old])

    let alone = try await store.sync([.sample("stock", id: "2", title: "New", published: .second)])
    // A title and an address that two stored images share tell neither of them.
    let third = try await store.sync([.sample("stock", id: "3", title: "New", published: .first)])

    #expect(alone == ImageCounts(total: 1, new: 1))
    #expect(third == ImageCounts(total: 1, new: 1))
  }

  @Test func `an entry that is still there keeps its image, wherever it comes`() async throws {
    let old = FeedEntry.sample("a", id: "1", title: "A")
    try await store.sync([old])

    let counts = try await store.sync([.sample("a", id: "2", title: "A"), old])

    #expect(counts == ImageCounts(total: 2, new: 1))
    #expect(try await store.images().map(\.id) == [2, 1])
  }

  @Test(arguments: [false, true])
  func `an entry with another address keeps its image, even if a new entry has its address`(
    isLater: Bool
  ) async throws {
    try await store.sync([.sample("a", id: "1", title: "A")])
    let moved = FeedEntry.sample("b", id: "1", title: "A")
    let new = FeedEntry.sample("a", id: "2", title: "A")

    let counts = try await store.sync(isLater ? [new, moved] : [moved, new])

    #expect(counts == ImageCounts(total: 2, new: 1, changed: 1))
    #expect(Set(try await store.listing()) == ["1 b", "2 a"])
  }

  @Test func `a title alone, or nothing, does not make two addresses one image`() async throws {
    try await store.sync([.sample("a", id: "1", title: "A"), .sample("b", id: "2")])

    let counts = try await store.sync([.sample("a2", id: "x", title: "A"), .sample("b", id: "y")])

    #expect(counts == ImageCounts(total: 2, new: 2))
  }

  @Test func `a dry run counts as the sync does`() async throws {
    try await store.sync([.sample("a", id: "http://a.bc/1"), .sample("b", id: "2", title: "B")])
    let writer = store.store.trialWriter(forFeedAt: .feed)

    try await writer.append([
      .sample("a2", id: "https://a.bc/1"), .sample("b", id: "x", title: "B"),
    ])
    let document = FeedDocument(format: .rss)
    let end = try await writer.finish(document, answer: FeedAnswer(), isWhole: true)

    #expect(end.counts == ImageCounts(total: 2, changed: 1))
  }

  // MARK: Pages

  @Test func `an entry without an id is known by its page when its picture moves`() async throws {
    func entries(_ host: String, scheme: String = "http") -> [FeedEntry] {
      (1...3).map { number in
        .sample(
          "\(host)/\(number)",
          title: "Photo \(number)",
          page: "\(scheme)://blog.example/post/\(number)"
        )
      }
    }
    try await store.sync(entries("cdn-a"))

    let moved = try await store.sync(entries("cdn-b"))
    let again = try await store.sync(entries("cdn-b"))
    let secure = try await store.sync(entries("cdn-c", scheme: "https"))

    #expect(moved == ImageCounts(total: 3, changed: 3))
    #expect(again == ImageCounts(total: 3))
    #expect(secure == ImageCounts(total: 3, changed: 3))
    #expect(try await store.listing() == ["1 cdn-c/1", "2 cdn-c/2", "3 cdn-c/3"])
  }

  @Test(arguments: ["https://blog.example/today", "https://blog.example/", "https://blog.example"])
  func `a page that every day has identifies no picture`(_ page: String) async throws {
    for (day, date) in [("mon", Date.first), ("tue", .second)] {
      let entry = FeedEntry.sample(day, title: "Picture", published: date, page: page)
      #expect(try await store.sync([entry]) == ImageCounts(total: 1, new: 1))
      #expect(try await store.sync([entry]) == ImageCounts(total: 1))
    }
    #expect(Set(try await store.listing()) == ["1 mon", "2 tue"])
  }

  @Test func `entries that share a page are told apart by their addresses`() async throws {
    let page = "https://blog.example/album"
    let entries = ["a", "b", "c"].map { FeedEntry.sample($0, page: page) }
    try await store.sync(Array(entries.dropFirst()))

    let more = try await store.sync(entries)
    let turned = try await store.sync(entries.reversed())
    let change = try store.numbers("SELECT max(change_seq) FROM image")
    let again = try await store.sync(entries.reversed())

    #expect(more == ImageCounts(total: 3, new: 1))
    #expect([turned, again] == [ImageCounts(total: 3), ImageCounts(total: 3)])
    #expect(try store.numbers("SELECT max(change_seq) FROM image") == change)
  }

  @Test func `one address on two pages stays one image`() async throws {
    let pages = ["x", "y"].map { FeedEntry.sample("a", page: "https://blog.example/\($0)") }

    #expect(try await store.sync(pages) == ImageCounts(total: 1, new: 1))
    // The image has the page of the first entry.
    #expect(try await store.sync(pages.reversed()) == ImageCounts(total: 1, changed: 1))
    #expect(try await store.sync(pages.reversed()) == ImageCounts(total: 1))
    #expect(try await store.listing() == ["1 a"])
    #expect(try await store.images().map(\.pageAddress) == [WebAddress("https://blog.example/y")])
  }

  @Test func `a feed may begin to give ids, and end`() async throws {
    let pages = ["a", "b"].map { FeedEntry.sample($0, page: "https://blog.example/\($0)") }
    let ids = ["a", "b"].map {
      FeedEntry.sample($0, id: "id-\($0)", page: "https://blog.example/\($0)")
    }
    let bare = ["a", "b"].map { FeedEntry.sample($0) }

    for document in [bare, pages, ids, pages, ids, bare, pages] {
      try await store.sync(document)
      #expect(try await store.listing() == ["1 a", "2 b"])
    }
  }
}
