import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// Addresses that servers refuse, because their signatures have expired since the feed was read.
struct RefusedAddressTests {
  private static let old = (
    thumbnail: WebAddress.sample("small/moon.jpg?exp=1"),
    original: WebAddress.sample("large/moon.jpg?exp=1")
  )

  /// A bench with a feed that named the old addresses, and names those of "moon" now.
  private func bench(_ replies: [WebAddress: FakeReply], nextSync: Date?) -> SyncBench {
    let replies = [.feed: FakeReply.document("moon")].merging(replies) { $1 }
    let bench = SyncBench(replies)
    var feed = Feed(id: 7, address: .feed, imageCount: 1, documentImageCount: 1)
    (feed.status, feed.nextSync) = (.updated, nextSync)
    feed.validators = SyncBench.validators
    let image = FeedImage(
      thumbnailAddress: Self.old.thumbnail,
      originalAddress: Self.old.original
    )
    bench.store.keep(feed, images: [image])
    return bench
  }

  private var plan: SyncPlan {
    SyncPlan(feeds: [.feed], fetchesOriginals: true, isEveryFeed: true)
  }

  @Test(arguments: [401, 403, 410])
  func `a feed that is not due is read, and its new addresses are tried`(_ status: Int) async {
    let refusal = FakeReply(status: status)
    let bench = bench(
      [Self.old.thumbnail: refusal, Self.old.original: refusal],
      nextSync: SyncBench.now + 600
    )

    let facts = await bench.facts(plan)

    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(facts.summaries.map(\.originals) == [TransferCounts(stored: 1)])
    #expect(
      bench.network.addresses == [
        Self.old.thumbnail, Self.old.original, .feed, .thumbnail("moon"), .original("moon"),
      ]
    )
    #expect(bench.network.requests[2].validators.isEmpty)
    #expect(bench.store.failed(.thumbnail) == [])
  }

  @Test func `a feed whose server says that it is unchanged is read as well`() async {
    let bench = bench(
      [
        .feed: FakeReply(status: 304).then(.document("moon")),
        Self.old.thumbnail: FakeReply(status: 403),
      ],
      nextSync: nil
    )

    let summaries = await bench.summaries(SyncPlan(feeds: [.feed], isEveryFeed: true))

    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(bench.network.addresses.count { $0 == .feed } == 2)
  }

  @Test func `a feed that was read is not read again, nor one whose addresses stay refused`()
    async
  {
    let refusal = FakeReply(status: 403)
    for nextSync in [nil, SyncBench.now + 600] {
      let bench = bench(
        [Self.old.thumbnail: refusal, .thumbnail("moon"): refusal],
        nextSync: nextSync
      )

      let facts = await bench.facts(SyncPlan(feeds: [.feed], isEveryFeed: true))

      #expect(facts.problems.map(\.failure) == [.status(403)])
      #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(failed: 1)])
      #expect(bench.network.addresses.count { $0 == .feed } == 1)
      #expect(bench.store.failed(.thumbnail).count == 1)
    }
  }

  @Test(arguments: [
    FakeReply(status: 304), FakeReply(status: 410), FakeReply(status: 500),
    FakeReply(refusal: .unreachable), FakeReply(chunks: []),
  ])
  func `a feed that cannot be read then stays as it was, and its addresses fail`(
    _ reply: FakeReply
  ) async throws {
    let next = SyncBench.now + 600
    let bench = bench(
      [.feed: reply, Self.old.thumbnail: FakeReply(status: 403)],
      nextSync: next
    )

    let facts = await bench.facts(SyncPlan(feeds: [.feed], isEveryFeed: true))

    #expect(facts.problems.map(\.failure) == [.status(403)])
    #expect(facts.summaries.map(\.status) == [.unchanged])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(failed: 1)])
    #expect(bench.network.addresses.contains(.feed))
    #expect(bench.store.failed(.thumbnail).map(\.picture.address) == [Self.old.thumbnail])
    let feed = try #require(await bench.store.feed(at: .feed))
    #expect(feed.status == .updated && feed.problem == nil && !feed.isPaused)
    #expect(feed.nextSync == next && feed.validators == SyncBench.validators)
  }

  @Test(arguments: [404, 500])
  func `another answer fails at once`(_ status: Int) async {
    let bench = bench(
      [Self.old.thumbnail: FakeReply(status: status)],
      nextSync: SyncBench.now + 600
    )

    let facts = await bench.facts(SyncPlan(feeds: [.feed], isEveryFeed: true))

    #expect(facts.problems.map(\.failure) == [.status(status)])
    #expect(bench.network.addresses == [Self.old.thumbnail])
  }

  // MARK: One original that somebody looks at

  private func look(_ bench: SyncBench) async throws -> FetchedOriginal {
    let worker = OriginalWorker(
      network: bench.network,
      store: bench.store,
      imaging: nil,
      feeds: SyncWorker(tools: bench.tools()),
      wording: SyncBench.words,
      now: { bench.clock.now }
    )
    let image = try #require(await bench.store.image(id: 1))
    return try await worker.fetch(OriginalRequest(image)) { _ in }
  }

  @Test func `a look reads the feed, and fetches from the new address`() async throws {
    let bench = bench([Self.old.original: FakeReply(status: 403)], nextSync: SyncBench.now + 600)

    let fetched = try await look(bench)

    #expect(fetched.wasDownloaded)
    #expect(bench.network.addresses == [Self.old.original, .feed, .original("moon")])
    #expect(bench.store.failed(.original) == [])
  }

  @Test func `a look at an address that stays refused fails, and reads the feed once`() async {
    let refusal = FakeReply(status: 410)
    let bench = bench(
      [Self.old.original: refusal, .original("moon"): refusal],
      nextSync: SyncBench.now + 600
    )

    await #expect(throws: Failure.status(410)) { try await look(bench) }

    #expect(bench.network.addresses == [Self.old.original, .feed, .original("moon")])
    #expect(bench.store.failed(.original).map(\.picture.address) == [.original("moon")])
  }

  @Test(arguments: [304, 500])
  func `a look tells the refusal of the address when the feed cannot be read`(
    _ status: Int
  ) async throws {
    let next = SyncBench.now + 600
    let bench = bench(
      [.feed: FakeReply(status: status), Self.old.original: FakeReply(status: 403)],
      nextSync: next
    )

    await #expect(throws: Failure.status(403)) { try await look(bench) }

    #expect(bench.network.addresses == [Self.old.original, .feed])
    let feed = try #require(await bench.store.feed(at: .feed))
    #expect(feed.status == .updated && feed.nextSync == next)
  }

  @Test func `looks at many refused addresses read the feed once a minute`() async throws {
    let bench = bench([Self.old.original: FakeReply(status: 403)], nextSync: nil)
    let worker = SyncWorker(tools: bench.tools())
    let feed = try #require(await bench.store.image(id: 1)).feed

    for _ in 1...3 { await worker.readAgain(feed) }
    bench.clock.go(61)
    await worker.readAgain(feed)

    #expect(bench.network.addresses == [.feed, .feed])
  }
}
