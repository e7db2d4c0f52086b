import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// Web pages that the user names in place of feeds.
struct PageDiscoveryTests {
  private static let missing = FakeReply(status: 404)
  private static let site = WebAddress.sample("")

  /// Replies of a site with a page without a feed, and 404 at all other usual places.
  private static func replies(
    _ page: WebAddress,
    _ found: [WebAddress: FakeReply] = [:]
  ) -> [WebAddress: FakeReply] {
    var replies = Dictionary(UsualPlaces.of(page).map { ($0, missing) }) { first, _ in first }
    replies[page] = .document("?")
    return replies.merging(found) { $1 }
  }

  private func followed(_ bench: SyncBench, _ plan: SyncPlan) async -> [WebAddress] {
    await bench.summaries(plan).filter { $0.status != .failed }.map(\.address)
  }

  @Test(arguments: [
    ("sun", "moon", "a"), ("%rss -", "moon", "b"), ("!", "moon", "b"), ("%rss -", "%rss -", "a"),
  ])
  func `a page with several feeds leads to the first one with images`(
    a: String,
    b: String,
    name: String
  ) async {
    let bench = SyncBench([
      .feed: .document("^a ^b"), .page("a"): .document(a.empty), .page("b"): .document(b.empty),
    ])

    #expect(await followed(bench, SyncPlan(feeds: [.feed])) == [.page(name)])
  }

  @Test func `a page with one feed costs no further request`() async {
    let bench = SyncBench([.feed: .document("@a"), .page("a"): .document("sun")])

    _ = await bench.summaries(SyncPlan(feeds: [.feed], fetchesThumbnails: false))

    #expect(bench.network.addresses == [.feed, .page("a")])
  }

  @Test(arguments: ["feed/", "rss", "atom.xml", "feed.json", "index.xml", "sitemap.xml"])
  func `a page without a feed leads to a usual place that has one`(place: String) async {
    let found = WebAddress.sample(place)
    let bench = SyncBench(Self.replies(Self.site, [found: .document("sun")]))

    #expect(await followed(bench, SyncPlan(feeds: [Self.site])) == [found])
  }

  @Test func `an index of sitemaps counts if one of them has images`() async {
    let found = WebAddress.sample("sitemap.xml")
    let replies: [WebAddress: FakeReply] = [
      found: .document("%sitemap *posts *images"), .page("posts"): .document("%sitemap"),
      .page("images"): .document("%sitemap sun"),
    ]
    let bench = SyncBench(Self.replies(Self.site, replies))

    #expect(await followed(bench, SyncPlan(feeds: [Self.site])) == [found])
  }

  @Test func `a usual place gets little time, and no further attempt`() async {
    let bench = SyncBench(Self.replies(Self.site))

    _ = await bench.facts(SyncPlan(feeds: [Self.site]))

    let places = bench.network.requests.filter { $0.address != Self.site }
    #expect(places.count == UsualPlaces.of(Self.site).count)
    #expect(places.allSatisfy { $0.timeLimit == .seconds(30) && $0.isAwaited })
  }

  @Test func `a usual place is read only so far`() async {
    let found = WebAddress.sample("rss")
    let long = "%rss ." + String(repeating: "x", count: 8 << 20)
    let bench = SyncBench(Self.replies(Self.site, [found: .document(long, " sun")]))

    #expect(await followed(bench, SyncPlan(feeds: [Self.site])) == [])
  }

  @Test func `the usual places count towards the bounds of the feed`() async {
    let found = WebAddress.sample("feed/")
    let long = "%rss ." + String(repeating: "x", count: 200)
    let bench = SyncBench(Self.replies(Self.site, [found: .document(long)]))
    var plan = SyncPlan(feeds: [Self.site])
    plan.bounds.documentBytes = 100

    _ = await bench.facts(plan)

    #expect(Set(bench.network.addresses) == [Self.site, found])
  }

  @Test func `a page without a feed anywhere fails as a page`() async {
    let bench = SyncBench(Self.replies(Self.site))

    let facts = await bench.facts(SyncPlan(feeds: [Self.site]))

    #expect(facts.problems.map(\.failure) == [.feed(.webPage)])
    #expect(bench.network.addresses == [Self.site] + UsualPlaces.of(Self.site))
  }

  @Test func `a page on a list is not looked around in`() async {
    let bench = SyncBench([.feed: .document("&a"), .page("a"): .document("?")])

    let facts = await bench.facts(SyncPlan(feeds: [.feed]))

    #expect(facts.problems.map(\.failure) == [.feed(.webPage)])
    #expect(bench.network.addresses == [.feed, .page("a")])
  }

  @Test(arguments: [true, false])
  func `the own pictures of a page are followed from then on`(isOfEveryPage: Bool) async {
    let bench = SyncBench([.feed: .document("? sun moon").then(.document("? sun moon star"))])
    var plan = SyncPlan(feeds: [.feed], fetchesThumbnails: false)
    if isOfEveryPage {
      plan.followsPages = true
    } else {
      plan.pages = [WebAddress.feed.identity]
    }

    let first = await bench.summaries(plan)
    let second = await bench.summaries(SyncPlan(feeds: [.feed], fetchesThumbnails: false))

    #expect(first.map(\.images.new) == [2])
    #expect(second.map(\.images.new) == [1])
    #expect(second.first?.feed?.format == .html)
  }

  @Test func `the own pictures of other pages than the named ones are not followed`() async {
    let bench = SyncBench(Self.replies(Self.site))
    var plan = SyncPlan(feeds: [Self.site])
    plan.pages = [WebAddress.feed.identity]

    let facts = await bench.facts(plan)

    #expect(facts.problems.map(\.failure) == [.feed(.webPage)])
  }

  @Test func `a new feed without images says so once`() async {
    let bench = SyncBench([.feed: .document("%rss")])

    let first = await bench.facts()
    let second = await bench.facts()

    #expect(first.notices == [.empty(.feed)])
    #expect(second.notices == [])
  }

  @Test(arguments: [
    ("https://a.b", "https://a.b/feed/", "https://a.b/sitemap.xml", 10),
    ("https://a.b/blog", "https://a.b/blog/feed/", "https://a.b/blog.rss", 8),
    ("https://a.b/blog/?page=2#top", "https://a.b/blog/feed/", "https://a.b/blog.rss", 8),
    ("https://a.b/c/index.html", "https://a.b/c/feed/", "https://a.b/sitemap.xml", 10),
    ("https://a.b/@jo", "https://a.b/@jo/feed/", "https://a.b/@jo.rss", 8),
  ])
  func `the usual places are below the page`(
    page: String,
    first: String,
    other: String,
    count: Int
  ) throws {
    let places = UsualPlaces.of(try #require(WebAddress(page))).map(\.text)

    #expect(places.first == first)
    #expect(places.contains(other))
    #expect(places.count == count)
  }
}

extension String {
  /// The words of a document; a hyphen stands for none.
  fileprivate var empty: String { replacing(" -", with: "") }
}
