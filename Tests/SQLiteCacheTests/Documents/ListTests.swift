import FoundationEssentials
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// Lists of feeds that the library follows.
@Suite(.onEachStore)
struct ListTests {
  private let store: TemporaryStore
  private let list = WebAddress.address("https://feeds.example/list.opml")
  private let a = WebAddress.address("https://feeds.example/a")
  private let b = WebAddress.address("https://feeds.example/b")
  private let c = WebAddress.address("https://feeds.example/c")

  init() throws { store = try TemporaryStore() }

  /// Reads the list, and follows its feeds.
  @discardableResult
  private func read(_ feeds: [WebAddress], isWhole: Bool = true, follows: Bool = true) async throws
    -> WrittenFeed
  {
    let writer = store.library.writer(forFeedAt: list, now: .first)
    let document = FeedDocument(
      format: .opml,
      title: "List",
      listsEverything: isWhole,
      continuation: .feeds(feeds)
    )
    let answer = FeedAnswer(validators: Validators(entityTag: "\"l\""))
    let written = try await writer.finish(document, answer: answer, isWhole: true)
    if follows {
      for feed in written.list?.followed ?? [] {
        try await store.sync([.sample(feed.text)], to: feed)
      }
    }
    return written
  }

  private func id(_ address: WebAddress) async throws -> Int64 {
    try #require(try await store.library.feed(at: address)).id
  }

  private var listed: ListedFeeds {
    get async throws { try await store.library.contents(ofFeedAt: list).listed }
  }

  @Test func `tells what it has gained and lost, each once, and keeps what it has lost`()
    async throws
  {
    let first = try await read([a, b])
    let same = try await read([b, a])
    let changed = try await read([b, c])
    let again = try await read([b, c])

    #expect(first.list == ListedFeeds(followed: [a, b], total: 2, new: 2))
    #expect(first.feed.status == .updated)
    #expect(same.list == ListedFeeds(followed: [b, a], total: 2))
    #expect(same.feed.status == .unchanged)
    #expect(changed.list == ListedFeeds(followed: [b, c], total: 2, new: 1, lost: [a]))
    #expect(changed.feed.status == .updated)
    #expect(again.list?.lost == [])
    #expect(try await store.library.feeds().map(\.address) == [list, a, b, c])
    #expect(try await store.library.feed(at: list)?.listedFeedCount == 2)
  }

  // MARK: Feeds that never answered

  private func fail(
    _ feed: WebAddress,
    at now: Date = .first,
    isOffline: Bool = false
  ) async throws -> Feed? {
    var note = FeedNote(status: .failed, problem: "it is not there", reach: .publicOnly)
    note.isOffline = isOffline
    return try await store.library.noteSync(ofFeedAt: feed, note, now: now)?.feed
  }

  @Test func `a feed that never answered is followed as failed, and asked less and less often`()
    async throws
  {
    try await read([a, b], follows: false)
    var (now, waits) = (Date.first, [Double]())
    for _ in 1...4 {
      let feed = try #require(try await fail(a, at: now))
      #expect(feed.hasNeverAnswered && feed.reach == .publicOnly)
      let next = try #require(feed.nextSync)
      waits.append(next.timeIntervalSince(now))
      now = next
    }

    #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 > $0 * 1.5 }, "\(waits)")
    #expect(try await store.library.feeds().map(\.address) == [list, a])
    #expect(try await store.library.feed(at: a)?.problem == "it is not there")

    try await store.sync([.sample("x")], to: a)
    let answered = try #require(try await store.library.feed(at: a))
    #expect(answered.status == .updated && answered.nextSync == nil)
  }

  @Test func `a feed that no list names, or that a user has removed, is not followed`() async throws
  {
    try await read([a, b], follows: false)
    let unlisted = try await fail(c)
    _ = try await fail(a)

    _ = try await store.library.removeFeed(id: id(a), purging: false)

    #expect(unlisted == nil)
    #expect(try await fail(a) == nil)
    #expect(try await listed.followed == [b])
    #expect(try await read([a, b], follows: false).list?.followed == [b])
    #expect(try await store.library.feeds().map(\.address) == [list])
  }

  @Test func `a network that is down does not put a feed off`() async throws {
    try await read([a], follows: false)

    #expect(try #require(try await fail(a, isOffline: true)).nextSync == nil)
  }

  @Test func `a page that failed first gives way to the feed that it names`() async throws {
    try await read([a, b], follows: false)
    _ = try await fail(a)

    let note = FeedNote(status: .unchanged, leadsTo: c)
    _ = try await store.library.noteSync(ofFeedAt: a, note, now: .second)

    #expect(try await store.library.feeds().map(\.address) == [list])
  }

  @Test func `has the images of its feeds, and of the lists on it`() async throws {
    try await store.sync([.sample("other")], to: .address("https://feeds.example/other"))
    try await read([a, b])
    let outer = WebAddress.address("https://feeds.example/outer.opml")
    let writer = store.library.writer(forFeedAt: outer, now: .first)
    let document = FeedDocument(
      format: .opml,
      title: "Outer",
      listsEverything: true,
      continuation: .feeds([list, c])
    )
    _ = try await writer.finish(document, answer: FeedAnswer(validators: nil), isWhole: true)
    try await store.sync([.sample("of c")], to: c)

    for order in ImageQuery.Order.allCases {
      let images = { try await store.names(ImageQuery(order: order, listID: $0)).sorted() }
      #expect(try await images(try await id(list)) == [a.text, b.text])
      #expect(try await images(try await id(outer)) == [a.text, b.text, "of c"])
    }
  }

  @Test func `loses nothing by a document that was not read without loss`() async throws {
    try await read([a, b])
    let cut = try await read([b, c], isWhole: false)

    #expect(cut.list?.lost == [])
    #expect(cut.list?.new == 1)
    #expect(try await Set(listed.followed) == [a, b, c])
  }

  @Test func `takes spellings of one address for one feed`() async throws {
    try await read([a])
    let other = WebAddress.address("HTTP://feeds.example:80/./a#x")
    let changed = try await read([other, a])

    #expect(changed.list?.total == 1)
    #expect(changed.list?.new == 0)
    #expect(changed.list?.lost == [])
  }

  @Test func `still names what an interruption has left out`() async throws {
    try await read([a, b], follows: false)

    #expect(try await listed == ListedFeeds(followed: [a, b], total: 2))
    #expect(try await store.library.feed(at: list)?.validators.entityTag == "\"l\"")
  }

  @Test func `tells of nothing lost that was never followed`() async throws {
    try await read([a, b], follows: false)

    #expect(try await read([a]).list?.lost == [])
  }

  @Test(arguments: [true, false])
  func `does not bring back what the user has removed, before the user names it`(
    isPurged: Bool
  ) async throws {
    try await read([a, b])
    _ = try await store.library.removeFeed(id: id(b), purging: isPurged)
    let after = try await listed
    let again = try await read([a, b])
    let without = try await read([a])
    try await store.sync([.sample("x")], to: b)
    let named = try await read([a, b])

    #expect(after == ListedFeeds(followed: [a], total: 2))
    #expect(again.list == ListedFeeds(followed: [a], total: 2))
    #expect(without.list?.lost == [])
    #expect(named.list == ListedFeeds(followed: [a, b], total: 2, new: 1))
  }

  @Test func `does not bring back what it has lost and gained while it was removed`() async throws {
    try await read([a, b])
    _ = try await store.library.removeFeed(id: id(b), purging: false)
    try await read([a])

    #expect(try await read([a, b]).list?.followed == [a])
  }

  @Test func `asks no more for a page whose feed is followed, or removed`() async throws {
    try await read([a], follows: false)
    let note = FeedNote(status: .unchanged, leadsTo: b)
    _ = try await store.library.noteSync(ofFeedAt: a, note, now: .second)
    let before = try await listed.followed
    try await store.sync([.sample("x")], to: b)
    let after = try await listed.followed
    _ = try await store.library.removeFeed(id: id(b), purging: true)

    #expect(before == [a])
    #expect(after == [])
    #expect(try await listed.followed == [])
  }

  @Test(arguments: [true, false])
  func `leaves its feeds when it is removed, and has all of them again when it comes back`(
    isPurged: Bool
  ) async throws {
    try await read([a, b])
    _ = try await store.library.removeFeed(id: id(b), purging: false)
    let removed = try await store.library.removeFeed(id: id(list), purging: isPurged)

    #expect(removed?.feed.isList == true)
    #expect(removed?.feed.listedFeedCount == 2)
    #expect(try await store.library.feeds().map(\.address) == [a])
    #expect(try store.numbers("SELECT count(*) FROM listed_feed") == [0])
    #expect(try await read([a, b]).list == ListedFeeds(followed: [a, b], total: 2, new: 2))
  }

  @Test func `is no longer a list when it has become a feed`() async throws {
    try await read([a, b])
    try await store.sync([.sample("x")], to: list)

    #expect(try await store.library.feed(at: list)?.isList == false)
    #expect(try await listed == ListedFeeds(followed: [], total: 0))
    #expect(try await store.library.feeds().count == 3)
  }

  @Test func `is compared in a dry run with what its feeds are`() async throws {
    try await read([a, b])
    let writer = store.library.trialWriter(forFeedAt: list)
    let document = FeedDocument(format: .opml, listsEverything: true, continuation: .feeds([a, c]))
    let written = try await writer.finish(document, answer: FeedAnswer(), isWhole: true)

    #expect(written.list == ListedFeeds(followed: [a, c], total: 2, new: 1, lost: [b]))
    #expect(try await listed.followed == [a, b])
  }
}
