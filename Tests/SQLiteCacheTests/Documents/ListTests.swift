import Models
import Testing
import Workers

@testable import SQLiteCache

/// Lists of feeds, as they are followed.
struct ListTests {
  private let store: TemporaryLibrary
  private let list = WebAddress.address("https://feeds.example/list.opml")
  private let a = WebAddress.address("https://feeds.example/a")
  private let b = WebAddress.address("https://feeds.example/b")
  private let c = WebAddress.address("https://feeds.example/c")

  init() throws { store = try TemporaryLibrary() }

  /// Reads the list, and follows its feeds.
  @discardableResult
  private func read(_ feeds: [WebAddress], isWhole: Bool = true, follows: Bool = true) throws
    -> WrittenFeed
  {
    let writer = try store.library.writer(forFeedAt: list, now: .first)
    let document = FeedDocument(
      format: .opml,
      title: "List",
      listsEverything: isWhole,
      continuation: .feeds(feeds)
    )
    let answer = FeedAnswer(validators: Validators(entityTag: "\"l\""))
    let written = try writer.finish(document, answer: answer, isWhole: true)
    if follows {
      for feed in written.list?.followed ?? [] { try store.sync([.sample(feed.text)], to: feed) }
    }
    return written
  }

  private func id(_ address: WebAddress) throws -> Int64 {
    try #require(try store.library.feed(at: address)).id
  }

  private var listed: ListedFeeds { get throws { try store.library.listedFeeds(ofListAt: list) } }

  @Test func `tells what it has gained and lost, each once, and keeps what it has lost`() throws {
    let first = try read([a, b])
    let same = try read([b, a])
    let changed = try read([b, c])
    let again = try read([b, c])

    #expect(first.list == ListedFeeds(followed: [a, b], total: 2, new: 2))
    #expect(first.feed.status == .updated)
    #expect(same.list == ListedFeeds(followed: [b, a], total: 2))
    #expect(same.feed.status == .unchanged)
    #expect(changed.list == ListedFeeds(followed: [b, c], total: 2, new: 1, lost: [a]))
    #expect(changed.feed.status == .updated)
    #expect(again.list?.lost == [])
    #expect(try store.library.feeds().map(\.address) == [list, a, b, c])
    #expect(try store.library.feed(at: list)?.listedFeedCount == 2)
  }

  @Test func `has the images of its feeds, and of the lists on it`() throws {
    try store.sync([.sample("other")], to: .address("https://feeds.example/other"))
    try read([a, b])
    let outer = WebAddress.address("https://feeds.example/outer.opml")
    let writer = try store.library.writer(forFeedAt: outer, now: .first)
    let document = FeedDocument(
      format: .opml,
      title: "Outer",
      listsEverything: true,
      continuation: .feeds([list, c])
    )
    _ = try writer.finish(document, answer: FeedAnswer(validators: nil), isWhole: true)
    try store.sync([.sample("of c")], to: c)

    for order in ImageQuery.Order.allCases {
      let images = { try store.names(ImageQuery(order: order, listID: $0)).sorted() }
      #expect(try images(try id(list)) == [a.text, b.text])
      #expect(try images(try id(outer)) == [a.text, b.text, "of c"])
    }
  }

  @Test func `loses nothing by a document that was not read without loss`() throws {
    try read([a, b])
    let cut = try read([b, c], isWhole: false)

    #expect(cut.list?.lost == [])
    #expect(cut.list?.new == 1)
    #expect(try Set(listed.followed) == [a, b, c])
  }

  @Test func `takes spellings of one address for one feed`() throws {
    try read([a])
    let other = WebAddress.address("HTTP://feeds.example:80/./a#x")
    let changed = try read([other, a])

    #expect(changed.list?.total == 1)
    #expect(changed.list?.new == 0)
    #expect(changed.list?.lost == [])
  }

  @Test func `still names what an interruption has left out`() throws {
    try read([a, b], follows: false)

    #expect(try listed == ListedFeeds(followed: [a, b], total: 2))
    #expect(try store.library.feed(at: list)?.validators.entityTag == "\"l\"")
  }

  @Test func `tells of nothing lost that was never followed`() throws {
    try read([a, b], follows: false)

    #expect(try read([a]).list?.lost == [])
  }

  @Test(arguments: [true, false])
  func `does not bring back what the user has removed, before the user names it`(
    isPurged: Bool
  ) throws {
    try read([a, b])
    _ = try store.library.removeFeed(id: id(b), purging: isPurged)
    let after = try listed
    let again = try read([a, b])
    let without = try read([a])
    try store.sync([.sample("x")], to: b)
    let named = try read([a, b])

    #expect(after == ListedFeeds(followed: [a], total: 2))
    #expect(again.list == ListedFeeds(followed: [a], total: 2))
    #expect(without.list?.lost == [])
    #expect(named.list == ListedFeeds(followed: [a, b], total: 2, new: 1))
  }

  @Test func `does not bring back what it has lost and gained while it was removed`() throws {
    try read([a, b])
    _ = try store.library.removeFeed(id: id(b), purging: false)
    try read([a])

    #expect(try read([a, b]).list?.followed == [a])
  }

  @Test func `asks no more for a page whose feed is followed, or removed`() throws {
    try read([a], follows: false)
    try store.library.noteListedPage(at: a, leadsTo: b)
    let before = try listed.followed
    try store.sync([.sample("x")], to: b)
    let after = try listed.followed
    _ = try store.library.removeFeed(id: id(b), purging: true)

    #expect(before == [a])
    #expect(after == [])
    #expect(try listed.followed == [])
  }

  @Test(arguments: [true, false])
  func `leaves its feeds when it is removed, and has all of them again when it comes back`(
    isPurged: Bool
  ) throws {
    try read([a, b])
    _ = try store.library.removeFeed(id: id(b), purging: false)
    let removed = try store.library.removeFeed(id: id(list), purging: isPurged)

    #expect(removed?.feed.isList == true)
    #expect(removed?.feed.listedFeedCount == 2)
    #expect(try store.library.feeds().map(\.address) == [a])
    #expect(try store.numbers("SELECT count(*) FROM listed_feed") == [0])
    #expect(try read([a, b]).list == ListedFeeds(followed: [a, b], total: 2, new: 2))
  }

  @Test func `is no list any more when it has become a feed`() throws {
    try read([a, b])
    try store.sync([.sample("x")], to: list)

    #expect(try store.library.feed(at: list)?.isList == false)
    #expect(try listed == ListedFeeds(followed: [], total: 0))
    #expect(try store.library.feeds().count == 3)
  }

  @Test func `is compared in a dry run with what its feeds are`() throws {
    try read([a, b])
    let writer = try store.library.trialWriter(forFeedAt: list)
    let document = FeedDocument(format: .opml, listsEverything: true, continuation: .feeds([a, c]))
    let written = try writer.finish(document, answer: FeedAnswer(), isWhole: true)

    #expect(written.list == ListedFeeds(followed: [a, c], total: 2, new: 1, lost: [b]))
    #expect(try listed.followed == [a, b])
  }
}
