import TestSupport
import Testing
import Workers

@testable import gallery_server

/// Waiting for changes, without a delay between two reads of the library.
struct ChangeWatcherTests {
  private let library = WatchedLibrary()
  private let access = Access(name: "reader", isAdmin: false, tokenHash: "0a")
  private let isValid = Locked(true)
  private let watcher: ChangeWatcher

  init() {
    let isValid = self.isValid
    watcher = ChangeWatcher(
      library,
      isValid: { _ in isValid.withLock { $0 } },
      pause: { await Task.yield() }
    )
  }

  @Test func `all who wait hear of a change`() async {
    let known = library.current
    async let first = watcher.news(after: known, looks: .max / 2)
    async let second = watcher.news(after: known, looks: .max / 2)
    library.change(feed: 3)

    let news = ChangeWatcher.News(
      version: library.current,
      counts: ChangeCounts(feeds: [3], images: 1)
    )
    #expect(await first == news)
    #expect(await second == news)
  }

  @Test func `a client that knows an older state hears of all since`() async {
    let known = library.current
    library.change(feed: 3)
    library.change(feed: 4)

    let news = await watcher.news(after: known, looks: 1)
    #expect(news?.counts == ChangeCounts(feeds: [3, 4], images: 2))
    #expect(news?.version == library.current)
  }

  @Test func `waits no longer than is asked for`() async {
    #expect(await watcher.news(after: library.current, looks: 3) == nil)
    #expect(library.looks == 3)
  }

  @Test func `looks only while a request waits`() async {
    _ = await watcher.news(after: library.current, looks: 2)
    for _ in 0..<100 { await Task.yield() }

    #expect(library.looks == 2)
  }

  @Test func `a request that is cancelled waits no more`() async {
    let known = library.current
    let task = Task { await watcher.news(after: known, looks: .max / 2) }
    task.cancel()

    #expect(await task.value == nil)
  }

  @Test func `no request waits once the server ends`() async {
    let known = library.current
    async let news = watcher.news(after: known, looks: .max / 2)
    await watcher.close()

    #expect(await news == nil)
    #expect(await watcher.news(after: known, looks: .max / 2) == nil)
  }

  @Test func `a follower hears of each change until its client has gone`() async {
    let heard = Locked<[ChangeWatcher.News?]>([])
    let first = library.current
    library.change(feed: 3)

    await watcher.follow(after: first, access) {
      heard.withLock { $0.count } < 2
    } tell: { [library] news in
      heard.withLock { $0.append(news) }
      if news?.counts.images == 1 { library.change(feed: 4) }
      return true
    }

    let news = heard.withLock { $0.map(\.?.counts) }
    #expect(
      news == [
        ChangeCounts(feeds: [3], images: 1), ChangeCounts(feeds: [3, 4], images: 1),
      ]
    )
    #expect(library.followed == library.current.number)
  }

  @Test func `a follower that reads slowly hears of everything together`() async {
    let heard = Locked<[ChangeCounts?]>([])
    let first = library.current
    library.change(feed: 3)

    await watcher.follow(after: first, access) {
      heard.withLock { $0.count } < 2
    } tell: { [library] news in
      let count = heard.withLock { heard in
        heard.append(news?.counts)
        return heard.count
      }
      if count == 1 { library.change(feed: 4) }
      return count > 1
    }

    #expect(heard.withLock { $0.last } == ChangeCounts(feeds: [3, 4], images: 2))
  }

  @Test func `a follower hears nothing that the library could not note`() async {
    let known = library.current
    library.change(feed: 3)
    library.failsToNote(times: 2)
    let noted = Locked<[Int64]>([])

    await watcher.follow(after: known, access) {
      noted.withLock { $0.isEmpty }
    } tell: { [library] _ in
      noted.withLock { $0.append(library.followed) }
      return true
    }

    #expect(noted.withLock { $0 } == [library.current.number])
    #expect(library.looks > 2)
  }

  @Test func `a follower hears that the server is there while the library cannot be read`() async {
    library.failsToRead()
    let heard = Locked<[ChangeWatcher.News?]>([])

    await watcher.follow(after: library.current, access) {
      heard.withLock { $0.isEmpty }
    } tell: { news in
      heard.withLock { $0.append(news) }
      return true
    }

    #expect(heard.withLock { $0 } == [nil])
  }

  @Test func `a follower without news hears that the server is there`() async {
    let heard = Locked<[ChangeWatcher.News?]>([])

    await watcher.follow(after: library.current, access) {
      heard.withLock { $0.isEmpty }
    } tell: { news in
      heard.withLock { $0.append(news) }
      return true
    }

    #expect(heard.withLock { $0 } == [nil])
    #expect(library.looks > Limits.eventCommentSeconds)
  }

  @Test func `a follower hears nothing more once its token is not valid`() async {
    let heard = Locked(0)
    let first = library.current
    library.change(feed: 3)

    await watcher.follow(after: first, access) {
      true
    } tell: { [library, isValid] _ in
      heard.withLock { $0 += 1 }
      isValid.withLock { $0 = false }
      library.change(feed: 4)
      return true
    }

    #expect(heard.withLock { $0 } == 1)
  }

  @Test func `a follower stays no longer than the server runs`() async {
    let known = library.current
    async let end: Void = watcher.follow(after: known, access) {
      true
    } tell: { _ in
      true
    }
    await watcher.close()

    await end
    await watcher.follow(after: known, access) {
      true
    } tell: { _ in
      true
    }
  }

  @Test func `streams are counted by token and in all`() {
    let streams = ClientLimit<String>(each: Limits.eventStreamsPerToken)
    var shares = (0..<Limits.eventStreamsPerToken).map { _ in streams.take(for: "a") }

    #expect(shares.allSatisfy { $0 != nil })
    #expect(streams.take(for: "a") == nil)
    #expect(streams.take(for: "b") != nil)
    shares.removeLast()
    #expect(streams.count == Limits.eventStreamsPerToken - 1)
    #expect(streams.take(for: "a") != nil)
  }
}

/// A library in which only the number of the last change matters.
private final class WatchedLibrary: ChangeWatching {
  private let state = Locked((number: Int64(1), feeds: [Int64](), looks: 0, followed: Int64(0)))
  private let faults = Locked((notes: 0, isUnreadable: false))

  /// The last state that clients have seen.
  var followed: Int64 { state.withLock { $0.followed } }

  var looks: Int { state.withLock { $0.looks } }

  /// The state, which does not count as a read.
  var current: LibraryVersion {
    LibraryVersion(library: "5b0d", epoch: 1, number: state.withLock { $0.number })
  }

  func version() async throws(StoreError) -> LibraryVersion {
    state.withLock { $0.looks += 1 }
    if faults.withLock({ $0.isUnreadable }) { throw Self.busy }
    return current
  }

  func changeCounts(after number: Int64) -> ChangeCounts {
    state.withLock { ChangeCounts(feeds: $0.feeds, images: Int($0.number - number)) }
  }

  private static let busy = StoreError(reason: .busy, path: "/library", message: "")

  func failsToRead() { faults.withLock { $0.isUnreadable = true } }

  func failsToNote(times: Int) { faults.withLock { $0.notes = times } }

  func noteFollowed(_ version: LibraryVersion) async throws(StoreError) {
    let fails = faults.withLock { faults in
      faults.notes -= 1
      return faults.notes >= 0
    }
    if fails { throw Self.busy }
    state.withLock { $0.followed = version.number }
  }

  func change(feed id: Int64) {
    state.withLock { state in
      state.number += 1
      state.feeds.append(id)
    }
  }
}
