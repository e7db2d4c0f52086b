import GRDB
import Models
import Testing
import Workers

@testable import SQLiteCache

/// How far feeds may lead, as it is stored.
struct ReachTests {
  private static let every: [FeedReach] = [.publicOnly, .host("[fd00::7]"), .anywhere]
  private let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  private func sync(_ reach: FeedReach?, _ images: [FeedEntry] = [.sample("a")]) throws {
    let writer = try store.library.writer(forFeedAt: .feed, reach: reach, now: .first)
    try writer.append(images)
    _ = try writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: true)
  }

  private func stored() throws -> FeedReach? { try store.library.feed(at: .feed)?.reach }

  @Test(arguments: every)
  func `is stored with the feed, and told with it and its images`(reach: FeedReach) throws {
    try sync(reach)

    #expect(try store.library.feeds().map(\.reach) == [reach])
    #expect(try stored() == reach)
    #expect(try store.library.image(id: 1)?.feed.reach == reach)
    #expect(try store.images().map(\.feed.reach) == [reach])
  }

  @Test func `is stored with the first of a feed, whatever becomes of the rest`() throws {
    let writer = try store.library.writer(forFeedAt: .feed, reach: .publicOnly, now: .first)
    try writer.append((0..<2).map { .sample("\($0)", id: "\($0)") })
    let before = try stored()
    _ = try writer.breakOff(problem: "broken")

    #expect(before == .publicOnly)
    #expect(try stored() == .publicOnly)
  }

  @Test func `is given with the end of a document, too`() throws {
    let writer = try store.library.writer(forFeedAt: .feed, reach: .anywhere, now: .first)
    let end = FeedDocument(format: .rss)

    #expect(try writer.finish(end, answer: FeedAnswer(), isWhole: true).feed.reach == .anywhere)
  }

  @Test func `stays when nothing is said of it`() throws {
    try sync(.host("nas"))
    try sync(nil, [.sample("b")])
    _ = try store.library.noteSync(ofFeedAt: .feed, FeedNote(status: .unchanged), now: .second)

    #expect(try stored() == .host("nas"))
  }

  @Test(arguments: every)
  func `changes when no document was read`(reach: FeedReach) throws {
    try sync(.host("nas"))
    let note = FeedNote(status: .failed, problem: "away", reach: reach)
    _ = try store.library.noteSync(ofFeedAt: .feed, note, now: .second)

    #expect(try stored() == reach)
    #expect(try store.library.feed(at: .feed)?.problem == "away")
  }

  @Test(arguments: [true, false])
  func `is forgotten with a feed that is removed`(isPurging: Bool) throws {
    try sync(.anywhere)
    _ = try store.library.removeFeed(id: 1, purging: isPurging)
    try sync(nil)
    let anew = try stored()
    try sync(.publicOnly)

    #expect(anew == nil)
    #expect(try stored() == .publicOnly)
  }

  @Test func `goes with a feed to a new address`() throws {
    try sync(.host("nas"))
    let answer = FeedAnswer(permanentAddress: .otherFeed)
    for _ in 0..<2 { try store.sync([.sample("a")], answer: answer) }

    #expect(try store.library.feed(at: .otherFeed)?.reach == .host("nas"))
  }

  @Test func `stays in a dry run`() throws {
    try sync(.host("nas"))
    let library = SQLiteLibrary(folder: store.path)
    let writer = try library.trialWriter(forFeedAt: .feed, reach: .anywhere)
    _ = try writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: true)

    #expect(try stored() == .host("nas"))
  }

  @Test func `a row that names no host leads to public addresses alone`() throws {
    try sync(.host("nas"))
    try store.connection().write { db in try db.execute(sql: "UPDATE feed SET private_host = NULL")
    }

    #expect(try stored() == .publicOnly)
  }
}
