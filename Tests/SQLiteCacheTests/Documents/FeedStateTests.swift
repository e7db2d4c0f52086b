import Foundation
import Models
import Testing
import Workers

@testable import SQLiteCache

/// What is kept of a server's answers for the next time.
struct FeedStateTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync([.sample("a")], answer: FeedAnswer(nextSync: .second))
  }

  private var feed: Feed? {
    get throws { try store.library.feed(at: .feed) }
  }

  private func note(_ note: FeedNote) throws {
    _ = try store.library.noteSync(ofFeedAt: .feed, note, now: .second)
  }

  @Test func `keeps when a feed is asked for again`() throws {
    #expect(try feed?.nextSync == .second)
    try note(FeedNote(status: .unchanged, answer: FeedAnswer(nextSync: .first)))
    #expect(try feed?.nextSync == .first)
    try note(FeedNote(status: .failed, problem: "500"))
    #expect(try feed?.nextSync == nil)
  }

  @Test func `asks again with the next sync for a document that was begun and not ended`() throws {
    let writer = try store.library.writer(forFeedAt: .feed, now: .second)
    try writer.append([.sample("b"), .sample("c")])

    #expect(try feed?.nextSync == nil)
  }

  @Test func `puts off a feed that brings too much for longer each time, until it is read whole`()
    throws
  {
    func breakOff() throws -> Double? {
      let writer = try store.library.writer(forFeedAt: .feed, now: .second)
      try writer.append([.sample("b")])
      let feed = try writer.breakOff(problem: "too much", isExcess: true).feed
      return feed?.nextSync?.timeIntervalSince(.second)
    }

    #expect(try [breakOff(), breakOff(), breakOff()] == [3_600, 7_200, 14_400])
    try store.sync([.sample("a")])
    #expect(try feed?.nextSync == nil)
    #expect(try breakOff() == 3_600)
  }

  @Test func `tells by how many bytes a document has made the library larger`() throws {
    let images = (0..<500).map { FeedEntry.sample("\($0)", title: "Title \($0)") }
    let first = try store.library.writer(forFeedAt: .feed, now: .second)
    try first.append(images)
    let again = try store.library.writer(forFeedAt: .feed, now: .second)
    try again.append(images)

    #expect(first.storedBytes > 100_000 && first.storedBytes < 2_000_000)
    #expect(again.storedBytes == 0)
  }

  @Test func `pauses a feed that is gone, until it answers`() throws {
    try note(FeedNote(status: .failed, problem: "gone", isGone: true))
    #expect(try feed?.isPaused == true)
    try note(FeedNote(status: .failed, problem: "no route"))
    #expect(try feed?.isPaused == true)
    try note(FeedNote(status: .unchanged))
    #expect(try feed?.isPaused == false)
  }

  @Test func `a document ends the pause, too`() throws {
    try note(FeedNote(status: .failed, problem: "gone", isGone: true))
    try store.sync([.sample("a")])

    #expect(try feed?.isPaused == false)
    #expect(try feed?.problem == nil)
  }

  @Test(arguments: [true, false])
  func `a removed feed comes back with its ids, and neither paused nor on its way`(
    isPaused: Bool
  ) throws {
    try note(
      FeedNote(
        status: isPaused ? .failed : .unchanged,
        answer: FeedAnswer(permanentAddress: .otherFeed, nextSync: .second),
        isGone: isPaused
      )
    )
    _ = try store.library.removeFeed(id: 1, purging: false)
    let writer = try store.library.writer(forFeedAt: .feed, now: .second)
    try writer.append([.sample("a")])

    let back = try #require(try feed)
    #expect(back.id == 1)
    #expect(!back.isPaused)
    #expect(back.movedTo == nil)
    #expect(back.nextSync == nil)
    #expect(try store.listing() == ["1 a"])
  }
}
