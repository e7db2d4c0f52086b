import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct LockingTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func lock(_ address: WebAddress = .feed) async throws -> FeedLockResult {
    try await store.library.lockFeed(at: address, now: .first)
  }

  private func isTaken(_ result: FeedLockResult) -> Bool {
    if case .taken = result { true } else { false }
  }

  private func holder(_ result: FeedLockResult) -> LockHolder? {
    if case .held(let holder) = result { holder } else { nil }
  }

  @Test func `keeps another out, and says who has it since when`() async throws {
    let first = try await lock()
    let second = try await store.reopened().lockFeed(at: .feed, now: .second)

    #expect(isTaken(first))
    #expect(
      holder(second)
        == LockHolder(process: Int(ProcessInfo.processInfo.processIdentifier), since: .first)
    )
  }

  @Test func `keeps another out under every spelling of the address`() async throws {
    let first = try await lock(.address("HTTP://FEEDS.example/moon#top"))

    #expect(isTaken(first))
    await #expect(!isTaken(try lock()))
  }

  @Test func `leaves other feeds alone`() async throws {
    let first = try await lock()

    #expect(isTaken(first))
    await #expect(isTaken(try lock(.otherFeed)))
  }

  @Test func `lets the next one in when it is given back`() async throws {
    guard case .taken(let first) = try await lock() else {
      Issue.record("a free lock was not taken")
      return
    }
    first.release()
    first.release()

    await #expect(isTaken(try lock()))
  }

  @Test func `lets the next one in when it is let go of`() async throws {
    _ = try await lock()

    await #expect(isTaken(try lock()))
  }

  @Test func `does not prevent the purge of its feed, and is harmless afterwards`() async throws {
    try await store.sync([.sample("a")])
    let taken = try await lock()
    _ = try await store.library.removeFeed(id: 1, purging: true)

    #expect(isTaken(taken))
    await #expect(holder(try lock()) != nil)
    try await store.sync([.sample("a")])
    #expect(try await store.library.feeds().map(\.id) == [2])
  }
}
