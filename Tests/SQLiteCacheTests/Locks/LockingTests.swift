import Foundation
import Models
import Testing
import Workers

@testable import SQLiteCache

struct LockingTests {
  private let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

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
    let second = try await SQLiteLibrary(folder: store.path).lockFeed(at: .feed, now: .second)

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
      Issue.record("a lock that nobody has was not taken")
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

  @Test func `leaves a file for the next one, in which nobody is named`() async throws {
    try await store.library.flush()
    let path = store.path + "/lock"
    let first = try #require(try FileLock.take(path))
    first.write(LockHolder(process: 1_234_567, since: .first).text)
    let refused = try FileLock.take(path)
    let holder = LockHolder(text: FileLock.text(of: path))
    first.release()
    let next = try FileLock.take(path)

    #expect(refused == nil)
    #expect(holder == LockHolder(process: 1_234_567, since: .first))
    #expect(next != nil)
    #expect(LockHolder(text: FileLock.text(of: path)) == nil)
    #expect(try FileLock.take(path) == nil)
  }

  @Test func `keeps nothing of a longer text before it`() async throws {
    try await store.library.flush()
    let path = store.path + "/lock"
    let lock = try #require(try FileLock.take(path))
    lock.write(LockHolder(process: 1_234_567, since: .second).text)
    lock.write(LockHolder(process: 7, since: .first).text)

    #expect(LockHolder(text: FileLock.text(of: path)) == LockHolder(process: 7, since: .first))
  }

  @Test func `is taken where somebody deletes its file`() async throws {
    try await store.library.flush()
    let path = store.path + "/lock"
    let first = try #require(try FileLock.take(path))
    try FileManager.default.removeItem(atPath: path)

    #expect(try FileLock.take(path) != nil)
    first.release()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `is never two's at once`() async throws {
    try await store.library.flush()
    let path = store.path + "/lock"
    let inside = Locked((now: 0, most: 0, times: 0))

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...4 {
        group.addTask {
          for _ in 1...500 {
            guard let lock = try FileLock.take(path) else { continue }
            inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.times + 1) }
            inside.withLock { $0.now -= 1 }
            lock.release()
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(inside.withLock { $0.most } == 1)
    #expect(inside.withLock { $0.times } > 0)
  }

  @Test func `knows no holder from a file that nobody has written yet`() {
    #expect(LockHolder(text: "") == nil)
    #expect(LockHolder(text: "47") == nil)
    #expect(LockHolder(text: "47 eleven") == nil)
    let holder = LockHolder(process: 47, since: .first)
    #expect(LockHolder(text: holder.text) == holder)
  }

  @Test func `is no hindrance to purging its feed, and harmless afterwards`() async throws {
    try await store.sync([.sample("a")])
    let taken = try await lock()
    _ = try await store.library.removeFeed(id: 1, purging: true)

    #expect(isTaken(taken))
    await #expect(holder(try lock()) != nil)
    try await store.sync([.sample("a")])
    #expect(try await store.library.feeds().map(\.id) == [2])
  }
}
