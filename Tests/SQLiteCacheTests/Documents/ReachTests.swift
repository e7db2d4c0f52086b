import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// The stored reach of feeds.
@Suite(.onEachStore)
struct ReachTests {
  private static let every: [FeedReach] = [.publicOnly, .host("[fd00::7]"), .anywhere]
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func sync(_ reach: FeedReach?, _ images: [FeedEntry] = [.sample("a")]) async throws {
    let writer = store.library.writer(forFeedAt: .feed, reach: reach, now: .first)
    try await writer.append(images)
    _ = try await writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: true)
  }

  private func stored() async throws -> FeedReach? {
    try await store.library.feed(at: .feed)?.reach
  }

  @Test(arguments: every)
  func `is stored with the feed, and told with it and its images`(reach: FeedReach) async throws {
    try await sync(reach)

    #expect(try await store.library.feeds().map(\.reach) == [reach])
    #expect(try await stored() == reach)
    #expect(try await store.library.image(id: 1)?.feed.reach == reach)
    #expect(try await store.images().map(\.feed.reach) == [reach])
  }

  @Test func `is stored with the first of a feed, whatever becomes of the rest`() async throws {
    let writer = store.library.writer(forFeedAt: .feed, reach: .publicOnly, now: .first)
    try await writer.append((0..<2).map { .sample("\($0)", id: "\($0)") })
    let before = try await stored()
    _ = try await writer.breakOff(problem: "broken")

    #expect(before == .publicOnly)
    #expect(try await stored() == .publicOnly)
  }

  @Test func `is given with the end of a document, too`() async throws {
    let writer = store.library.writer(forFeedAt: .feed, reach: .anywhere, now: .first)
    let end = FeedDocument(format: .rss)

    #expect(
      try await writer.finish(end, answer: FeedAnswer(), isWhole: true).feed.reach == .anywhere
    )
  }

  @Test func `stays when nothing is said of it`() async throws {
    try await sync(.host("nas"))
    try await sync(nil, [.sample("b")])
    _ = try await store.library.noteSync(
      ofFeedAt: .feed,
      FeedNote(status: .unchanged),
      now: .second
    )

    #expect(try await stored() == .host("nas"))
  }

  @Test(arguments: every)
  func `changes when no document was read`(reach: FeedReach) async throws {
    try await sync(.host("nas"))
    let note = FeedNote(status: .failed, problem: "away", reach: reach)
    _ = try await store.library.noteSync(ofFeedAt: .feed, note, now: .second)

    #expect(try await stored() == reach)
    #expect(try await store.library.feed(at: .feed)?.problem == "away")
  }

  @Test(arguments: [true, false])
  func `is forgotten with a feed that is removed`(isPurging: Bool) async throws {
    try await sync(.anywhere)
    _ = try await store.library.removeFeed(id: 1, purging: isPurging)
    try await sync(nil)
    let anew = try await stored()
    try await sync(.publicOnly)

    #expect(anew == nil)
    #expect(try await stored() == .publicOnly)
  }

  @Test func `goes with a feed to a new address`() async throws {
    try await sync(.host("nas"))
    let answer = FeedAnswer(permanentAddress: .otherFeed)
    for _ in 0..<2 { try await store.sync([.sample("a")], answer: answer) }

    #expect(try await store.library.feed(at: .otherFeed)?.reach == .host("nas"))
  }

  @Test func `stays in a dry run`() async throws {
    try await sync(.host("nas"))
    let library = store.reopened()
    let writer = library.trialWriter(forFeedAt: .feed, reach: .anywhere)
    _ = try await writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: true)

    #expect(try await stored() == .host("nas"))
  }

  @Test func `a row that names no host leads to public addresses alone`() async throws {
    try await sync(.host("nas"))
    try store.execute("UPDATE feed SET private_host = NULL")

    #expect(try await stored() == .publicOnly)
  }
}
