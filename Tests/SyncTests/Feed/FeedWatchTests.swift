import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// A sync that keeps running, with a clock that advances whenever no feed is due.
@Suite(.timeLimit(.minutes(60)))
struct FeedWatchTests {
  @Test func `asks each feed when it is due, until it is stopped`() async {
    let bench = SyncBench([.feed: .document("moon"), .page("b"): .document("sun")])
    keep(7, .feed, every: 120, in: bench)
    keep(8, .page("b"), every: 480, in: bench)

    let facts = await watch(bench, for: 960)

    #expect(bench.network.addresses.count { $0 == .feed } == 8)
    #expect(bench.network.addresses.count { $0 == .page("b") } == 2)
    #expect(facts.last == .ended(SyncEnd(isInterrupted: true)))
    #expect(facts.first == .watching(feeds: 2, next: nil))
  }

  @Test func `asks no server more often than it allows`() async {
    var reply = FakeReply.document("moon")
    reply.freshSeconds = 480
    let bench = SyncBench([.feed: reply])
    keep(7, .feed, every: 60, in: bench)

    _ = await watch(bench, for: 960)

    #expect(bench.network.addresses == [.feed, .feed])
  }

  @Test func `waits longer after each failure, and asks again after a pause that a server wants`()
    async
  {
    var paused = FakeReply(status: 503)
    paused.retryAfter = SyncBench.now + 600
    paused.later = [FakeReply(status: 500)]
    let bench = SyncBench([.feed: paused])
    keep(7, .feed, every: 60, in: bench)

    _ = await watch(bench, for: 1_500)

    // The requests are at the start, after the pause, and ten minutes later.
    #expect(bench.network.addresses.count == 3)
  }

  @Test func `asks a feed that another process has added`() async {
    let bench = SyncBench([.feed: .document("moon"), .page("b"): .document("sun")])
    keep(7, .feed, every: 86_400, in: bench)

    _ = await watch(bench, for: 120) { keep(8, .page("b"), every: 86_400, in: bench) }

    #expect(bench.network.addresses == [.feed, .page("b")])
  }

  @Test func `leaves feeds alone that are gone, mirrored or came from a pipe`() {
    var mirrored = feed(1, .feed)
    mirrored.gallery = .page("gallery")
    var gone = feed(2, .page("b"))
    gone.isPaused = true
    var agenda = WatchAgenda()
    agenda.feeds = [mirrored, gone, feed(3, WebAddress(pipe: 1)), feed(4, .page("c"))]

    #expect(agenda.begin(at: SyncBench.now).map(\.id) == [4])
    #expect(agenda.count == 1)
  }

  @Test func `does not ask a feed at once again whose end was not noted`() {
    var agenda = WatchAgenda()
    agenda.feeds = [feed(1, .feed)]

    #expect(agenda.begin(at: SyncBench.now).map(\.id) == [1])
    #expect(agenda.begin(at: SyncBench.now + 90).map(\.id) == [])
    agenda.end([1])
    #expect(agenda.begin(at: SyncBench.now + 59).map(\.id) == [])
    #expect(agenda.begin(at: SyncBench.now + 60).map(\.id) == [1])
  }

  @Test func `a feed of which a hub tells is asked once a day, unless its time is fixed`() {
    var pushed = feed(1, .feed)
    (pushed.lastSync, pushed.leaseEnd) = (SyncBench.now, SyncBench.now + 10 * 86_400)
    pushed.schedule = FeedSchedule(due: SyncBench.now)
    var fixed = pushed
    fixed.id = 2
    fixed.schedule.givenInterval = 60

    for hearsHubs in [true, false] {
      var agenda = WatchAgenda()
      agenda.hearsHubs = hearsHubs
      agenda.feeds = [pushed, fixed]
      // A hub may have announced a change before this process started to listen.
      #expect(agenda.begin(at: SyncBench.now).map(\.id) == [1, 2])
      agenda.end([1, 2])
      #expect(agenda.begin(at: SyncBench.now + 3_600).map(\.id) == (hearsHubs ? [2] : [1, 2]))
      agenda.end([1, 2])
      #expect(agenda.begin(at: SyncBench.now + 86_400).map(\.id) == [1, 2])
    }
  }

  private func feed(_ id: Int64, _ address: WebAddress, every seconds: Int? = nil) -> Feed {
    var feed = Feed(id: id, address: address)
    feed.schedule.givenInterval = seconds
    return feed
  }

  private func keep(_ id: Int64, _ address: WebAddress, every seconds: Int, in bench: SyncBench) {
    bench.store.keep(feed(id, address, every: seconds), images: [String]())
  }

  /// Watches for this many seconds; calls `later` when no feed is due for the first time.
  private func watch(
    _ bench: SyncBench,
    for seconds: Double,
    later: @escaping @Sendable () -> Void = {}
  ) async -> [SyncFact] {
    let stop = StopRequest()
    let isFirst = Locked(true)
    var plan = SyncPlan(feeds: [], fetchesThumbnails: false, isEveryFeed: true)
    plan.isWatching = true
    let run = bench.start(plan) { duration in
      try Task.checkCancellation()
      // Waits of a second or less are for other purposes, and take no time.
      guard duration > .seconds(1) else { return }
      for _ in 0..<1_000 {
        guard try await bench.store.feeds().contains(where: { $0.isDue(at: bench.clock.now) })
        else {
          break
        }
        await Task.yield()
      }
      if isFirst.withLock({ isFirst in
        defer { isFirst = false }
        return isFirst
      }) {
        later()
      }
      // The next turn starts a feed that is due, but whose previous request has not quite ended.
      let isDue = try await bench.store.feeds().contains { $0.isDue(at: bench.clock.now) }
      bench.clock.go(isDue ? 0 : Double(duration.components.seconds))
      if bench.clock.now >= SyncBench.now + seconds { stop.make() }
    }
    stop.whenMade { run.stop() }
    return await run.allFacts()
  }
}
